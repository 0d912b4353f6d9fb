import { readFile } from 'node:fs/promises';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/** A kubelet updates mounted Secrets about once a minute. */
const readEveryMs = 10_000;

export interface WatchedFiles {
  readonly paths: readonly string[];
  /** called with the contents, in order of the paths; an error that it throws leaves what it did before */
  readonly use: (contents: readonly string[]) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Reads the files and uses them; rejects when that fails. Then does so again whenever one of them has changed. */
export async function useFiles({ paths, use, clock, log }: WatchedFiles, signal: AbortSignal): Promise<void> {
  const read = () => Promise.all(paths.map((path) => readFile(path, 'utf8')));
  let used = await read();
  use(used);
  const follow = async () => {
    while (!signal.aborted) {
      await clock.sleep(readEveryMs, signal);
      try {
        const found = await read();
        if (found.every((content, index) => content === used[index])) continue;
        use(found);
        used = found;
        log.info({ paths }, 'changed files are in use');
      } catch (error) {
        log.warn({ err: error, paths }, 'changed files cannot be used; those from before still are');
      }
    }
  };
  follow().catch(() => undefined); // the signal ends the sleep
}
