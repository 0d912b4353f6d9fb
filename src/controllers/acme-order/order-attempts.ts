import { createBoundedMap } from '../../lib/bounded-map.ts';

/** What this process did about the open order of a hostname, beside what the claim and the authority remember. */
export interface OrderAttempt {
  /** URLs of challenges that it told the authority of */
  readonly triggered: Set<string>;
  /** how often it found that there was nothing to do but wait */
  waits: number;
  /** how often the authority said no in a way that ends with time */
  refusals: number;
}

/** By hostname. */
export interface OrderAttempts {
  of(hostname: string): OrderAttempt;
  /** To be called once the order has ended. */
  forget(hostname: string): void;
}

/** Of whoever is forgotten here, challenges are triggered once more, and it is looked at as if it had just begun. */
const hostnamesAtMost = 10_000;

export function createOrderAttempts(): OrderAttempts {
  const known = createBoundedMap<OrderAttempt>(hostnamesAtMost);
  return {
    of(hostname) {
      const before = known.get(hostname);
      if (before) return before;
      const attempt: OrderAttempt = { triggered: new Set(), waits: 0, refusals: 0 };
      known.set(hostname, attempt);
      return attempt;
    },
    forget: (hostname) => known.delete(hostname),
  };
}

/** Most orders have ended by then. */
const waitsWithoutPause = 10;
const firstPause = 1_000;
const firstRefusalPause = 60_000;
const longestPause = 60 * 60_000;
const longestWait = 60_000;

const doubled = (first: number, times: number, longest: number): number =>
  Math.min(longest, first * 2 ** Math.min(times, 20));

/** Until an order that waits is looked at again, milliseconds: what its authority says, and longer the more often it was in vain. */
export function untilNextLook({ waits }: Pick<OrderAttempt, 'waits'>, forMs: number): number {
  const pause = waits < waitsWithoutPause ? 0 : doubled(firstPause, waits - waitsWithoutPause, longestWait);
  return Math.max(forMs, pause);
}

/** Until the same is tried again after a refusal, milliseconds. */
export const untilNextTry = ({ refusals }: Pick<OrderAttempt, 'refusals'>): number =>
  doubled(firstRefusalPause, refusals, longestPause);
