import type { Clock } from '../../src/lib/clock.ts';

/** A clock that moves only when it is told to. */
export interface FakeClock extends Clock {
  /** Moves on and lets everything run that became due. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock on, or back with a negative number, as an administrator or NTP would. */
  step(ms: number): void;
}

export function createFakeClock(start = 0): FakeClock {
  let now = start;
  let stepped = 0;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const settle = () => new Promise<void>((done) => setImmediate(done));
  return {
    now: () => now + stepped,
    elapsed: () => now,
    step: (ms) => {
      stepped += ms;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason as Error);
        });
      }),
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (;;) {
        const next = [...sleepers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
        if (!next) break;
        now = Math.max(now, next.at);
        sleepers.delete(next);
        next.wake();
        await settle();
      }
      now = until;
      await settle();
    },
  };
}
