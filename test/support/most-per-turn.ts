import { turnsOfLoop } from './turns-of-loop.ts';

/** By how much a count grew at most between two turns of the event loop, while `act` went on: what it did in one go. */
export async function mostPerTurn(count: () => number, act: () => Promise<void>): Promise<number> {
  let [most, before, isOver] = [0, count(), false];
  const watch = async () => {
    while (!isOver) {
      await turnsOfLoop(1);
      const now = count();
      most = Math.max(most, now - before);
      before = now;
    }
  };
  const watching = watch();
  await act().finally(() => (isOver = true));
  await watching;
  return most;
}

/** Looks at the clock below in one millisecond. */
const looksPerMs = 20;

/** A clock of slices that moves on only when it is looked at: a slice has as many parts on any machine, a hundred at most. */
export function tickingClock(): () => number {
  let looks = 0;
  return () => (looks += 1) / looksPerMs;
}
