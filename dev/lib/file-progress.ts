import type { FileCost } from './file-costs.ts';

/** What the reporter of jest says (dev/lib/file-reporter.mjs). */
export type FileMessage =
  | { readonly begun: string }
  | ({ readonly ended: string } & Required<Pick<FileCost, 'seconds' | 'processorSeconds' | 'passed'>>);

/** Nothing is silent for longer. */
const silentMs = 25_000;

/** Which files run in this moment, told while none of them begins or ends. */
export interface FileProgress {
  heard(message: FileMessage): void;
  /** nothing is told any more */
  stop(): void;
}

export function tellProgress(tell: (line: string) => void = (line) => console.error(line)): FileProgress {
  const running = new Set<string>();
  let toldAt = Date.now();
  const timer = setInterval(() => {
    if (Date.now() - toldAt < silentMs) return;
    toldAt = Date.now();
    tell(`running: ${running.size === 0 ? 'what files share is started' : [...running].join(', ')}`);
  }, 1_000);
  timer.unref();
  return {
    heard(message) {
      toldAt = Date.now();
      if ('begun' in message) running.add(message.begun);
      else running.delete(message.ended);
    },
    stop: () => clearInterval(timer),
  };
}
