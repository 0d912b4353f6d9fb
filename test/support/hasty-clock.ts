import type { Clock } from '../../src/lib/clock.ts';
import { systemClock } from '../../src/lib/clock.ts';

/** Whoever sleeps for as long does so until the end of the test. */
export const forEverMs = 3_600_000;

/** A clock on which nobody really pauses: it notes for how long each was to sleep, and wakes it a moment later. */
export function createHastyClock(pauses: number[]): Clock {
  return {
    ...systemClock,
    sleep(ms, signal) {
      if (ms >= forEverMs) return systemClock.sleep(ms, signal);
      pauses.push(ms);
      return systemClock.sleep(1, signal);
    },
  };
}
