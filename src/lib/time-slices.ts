import type { Clock } from './clock.ts';

/** Divides work that awaits no I/O and would otherwise block the event loop until its end, however short its parts. */
export interface TimeSlices {
  /**
   * To be awaited before each part of such work. Resolves at once while the slice lasts; afterwards, in a later turn of
   * the event loop, within a new slice.
   */
  next(): Promise<void>;
}

const sliceMs = 5;

/** Slices of five milliseconds, shared by everybody who is given them. `elapsed`: monotonic milliseconds. */
export function createTimeSlices(elapsed: () => number): TimeSlices {
  let turnedAt = elapsed();
  let turning: Promise<void> | null = null;
  const turn = () =>
    (turning ??= new Promise((resolve) => {
      setImmediate(() => {
        turnedAt = elapsed();
        turning = null;
        resolve();
      });
    }));
  return {
    async next() {
      while (elapsed() - turnedAt >= sliceMs) await turn();
    },
  };
}

/** As long as nine slices: nine tenths of the processor are left to everybody else. */
const restMs = 9 * sliceMs;

/** The same with a rest between two slices, for long work that nobody waits for. */
export function createRestingSlices({ elapsed, sleep }: Pick<Clock, 'elapsed' | 'sleep'>): TimeSlices {
  let begunAt = elapsed();
  return {
    async next() {
      if (elapsed() - begunAt < sliceMs) return;
      await sleep(restMs);
      begunAt = elapsed();
    },
  };
}
