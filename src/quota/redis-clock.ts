import type { Clock } from '../lib/clock.ts';

/** This process' estimate of Redis' clock. Milliseconds. */
export interface RedisClock {
  /** Redis answered, just now, that it was this late; Unix ms. */
  told(redisNowMs: number): void;
  /** Unix ms; the process' own wall clock before Redis told anything */
  nowMs(): number;
}

/** A better estimate is not looked for longer than this. */
const trustedForMs = 10_000;
/** Redis' clock was set back, or it is another Redis. */
const leapMs = 1_000;

/**
 * An answer takes time to arrive and to be read, most of it where this process is busy, so each one says that Redis' clock is at least as
 * late as it tells: of the last ten seconds the latest estimate is the best one.
 */
export function createRedisClock({ now, elapsed }: Pick<Clock, 'now' | 'elapsed'>): RedisClock {
  let best: { readonly offset: number; readonly at: number } | null = null;
  return {
    told(redisNowMs) {
      const [at, offset] = [elapsed(), redisNowMs - elapsed()];
      const isBetter = !best || offset >= best.offset || at - best.at > trustedForMs || best.offset - offset > leapMs;
      if (isBetter) best = { offset, at };
    },
    nowMs: () => Math.floor(best ? best.offset + elapsed() : now()),
  };
}
