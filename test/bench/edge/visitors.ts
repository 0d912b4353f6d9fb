import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask, Served } from './asking.ts';
import { answersWith, tallied } from './asking.ts';

/** What became of the requests of visitors. */
export interface Visited {
  readonly asked: number;
  /** how many failed, by reason */
  readonly failed: Readonly<Record<string, number>>;
}

const visitEveryMs = 20;

/** Asks one hostname after the other, and so on, fifty times a second, each time over a connection of its own, until it is ended. */
export function visit(all: readonly Served[], ask: Ask): { end(): Promise<Visited> } {
  const failed: string[] = [];
  const open = new Set<Promise<void>>();
  let asked = 0;
  let ended = false;
  const one = async ({ hostname, body }: Served) => {
    asked += 1;
    const answer = await ask(hostname);
    if (!answersWith(body)(answer)) failed.push('refused' in answer ? answer.refused : 'another body');
  };
  const go = async () => {
    const begunAt = performance.now();
    while (!ended) {
      const next = all[asked % all.length];
      if (next === undefined) return;
      const visiting: Promise<void> = one(next).finally(() => open.delete(visiting));
      open.add(visiting);
      await sleep(Math.max(0, begunAt + asked * visitEveryMs - performance.now()));
    }
  };
  const going = go();
  return {
    async end() {
      ended = true;
      await going;
      await Promise.all(open);
      return { asked, failed: tallied(failed) };
    },
  };
}

/** `0 of 500`, or how many failed with which reasons. */
export function visitedText({ asked, failed }: Visited): string {
  const reasons = Object.entries(failed);
  const count = reasons.reduce((sum, [, each]) => sum + each, 0);
  const why = reasons.map(([reason, each]) => `${reason} ${each}`).join(', ');
  return `${count} of ${asked}${count === 0 ? '' : ` (${why})`}`;
}
