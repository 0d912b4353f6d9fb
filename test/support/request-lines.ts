import { turnsOfLoop } from './turns-of-loop.ts';

type Work = (line: number) => Promise<unknown>;

/**
 * Lines side by side that send so many requests each, every one when the last was answered and the event loop has turned. Ends when all of them were
 * answered, so one that hangs keeps it from that.
 */
export async function inLines(lines: number, each: number, work: Work): Promise<void> {
  const send = async (_: unknown, line: number) => {
    for (let sent = 0; sent < each; sent += 1) {
      await work(line);
      await turnsOfLoop(1);
    }
  };
  await Promise.all(Array.from({ length: lines }, send));
}

/** The same, but they send until something has happened, whatever became of it. */
export async function inLinesWhile(lines: number, work: Work, happens: () => Promise<void>): Promise<void> {
  let isOver = false;
  const send = async (_: unknown, line: number) => {
    while (!isOver) {
      await work(line);
      await turnsOfLoop(1);
    }
  };
  const all = Promise.all(Array.from({ length: lines }, send));
  all.catch(() => (isOver = true));
  await happens().finally(() => (isOver = true));
  await all;
}
