import { readFileSync, watch } from 'node:fs';

/** Resolves as soon as a log has so many more of something than now, by this count of them. */
export function untilLogged(file: string, countIn: (log: string) => number, more: number): Promise<void> {
  const count = () => countIn(readFileSync(file, 'utf8'));
  const wanted = count() + more;
  return new Promise((resolve) => {
    const watcher = watch(file, () => {
      if (count() < wanted) return;
      watcher.close();
      resolve();
    });
  });
}
