import { decideQuota, decisionOf, nothingSpent } from '../../src/quota/quota-decision.ts';
import type { Ask, Decision } from '../../src/quota/quota-port.ts';
import { resetSecond } from '../../src/quota/quota-port.ts';

/** Clients of the API as people write them, on a clock that is moved by hand, against the decision itself. */

/** Says how many milliseconds a worker waits after a refusal; null gives the call up and goes on with the next one at once. */
export type Strategy = (refusal: Refusal) => number | null;

interface Refusal {
  /** how many times this call was refused, this one included */
  readonly attempt: number;
  readonly decision: Decision;
  /** what this strategy waited before, for this call; 0 at first */
  readonly before: number;
  readonly random: () => number;
}

export interface Trial {
  readonly perMinute: number;
  readonly workers: number;
  readonly seconds: number;
  /** from sending to the answer, in milliseconds */
  readonly latency: number;
  readonly seed: number;
}

export interface Outcome {
  readonly allowed: number;
  readonly limited: number;
  /** seconds from the first refusal to the ban; null without one */
  readonly bannedAfter: number | null;
}

interface Worker {
  at: number;
  attempt: number;
  before: number;
}

const began = Date.parse('2026-01-01T12:00:03.137Z');

/** Workers that share a key, each of which makes one call after the other for so long, or until the key is banned. */
export function tryStrategy(strategy: Strategy, { perMinute, workers, seconds, latency, seed }: Trial): Outcome {
  const ask: Ask = { budget: 'a:acme', key: 'k1', limits: { perMinute, perDay: 1e9 }, liftedAt: null, spend: 1 };
  const random = dice(seed);
  const all = Array.from({ length: workers }, (): Worker => ({
    at: began + random() * latency,
    attempt: 0,
    before: 0,
  }));
  const seen = { allowed: 0, limited: 0 };
  let state = nothingSpent;
  let firstRefusalAt: number | null = null;
  for (;;) {
    const worker = all.reduce((first, other) => (other.at < first.at ? other : first));
    const now = Math.floor(worker.at);
    if (now > began + seconds * 1_000) return { ...seen, bannedAfter: null };
    const { figures, after } = decideQuota(state, ask, now);
    state = after;
    const decision = decisionOf(figures, ask);
    if (decision.kind === 'banned') return { ...seen, bannedAfter: (now - (firstRefusalAt ?? now)) / 1_000 };
    seen[decision.kind] += 1;
    worker.at += latency * (0.75 + random() / 2);
    if (decision.kind === 'allowed') {
      Object.assign(worker, { attempt: 0, before: 0 });
      continue;
    }
    firstRefusalAt ??= now;
    worker.attempt += 1;
    const wait = strategy({ attempt: worker.attempt, decision, before: worker.before, random });
    Object.assign(worker, wait === null ? { attempt: 0, before: 0 } : { before: wait });
    worker.at += wait ?? 0;
  }
}

/** When the refusal said that the window has room again, in milliseconds from now. */
export const untilReset = ({ now, minute }: Decision): number => Math.max(0, resetSecond(minute) * 1_000 - now);

/** A number in [0, 1) that looks random and is the same every time (mulberry32). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
