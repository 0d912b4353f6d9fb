import { describe, expect, it } from '@jest/globals';
import type { QuotaState } from '../../../src/quota/quota-decision.ts';
import { decideQuota, nothingSpent } from '../../../src/quota/quota-decision.ts';
import type { Ask } from '../../../src/quota/quota-port.ts';

/** Who goes on at a slow but steady rate after a 429, and what the rules of docs/rest-api.md make of it. */

const began = Date.parse('2026-01-01T12:00:03.137Z');
const askOf = (perMinute: number): Ask => ({
  budget: 'a:acme',
  key: 'k1',
  limits: { perMinute, perDay: 10_000_000 },
  liftedAt: null,
  spend: 1,
});

interface Story {
  readonly allowed: number;
  readonly limited: number;
  /** seconds after which the ban began; null without one */
  readonly bannedAfter: number | null;
  readonly longestWait: number;
}

/** Asks at a rate until it is banned, for ten minutes at most. */
function goOn(perMinute: number, perSecond: number, { state, at }: { state: QuotaState; at: number }): Story {
  const told = { allowed: 0, limited: 0, longestWait: 0 };
  let now = state;
  for (let index = 1; index <= perSecond * 600; index += 1) {
    const time = at + Math.floor((index * 1_000) / perSecond);
    const { decision, after } = decideQuota(now, askOf(perMinute), time);
    now = after;
    if (decision.kind === 'banned') return { ...told, bannedAfter: (time - at) / 1_000 };
    told[decision.kind] += 1;
    told.longestWait = Math.max(told.longestWait, decision.retryAfter ?? 0);
  }
  return { ...told, bannedAfter: null };
}

/** Three minutes of exactly the limit, evenly spread. */
function atTheLimit(perMinute: number): { state: QuotaState; at: number } {
  let state = nothingSpent;
  let at = began;
  for (let index = 0; index < 3 * perMinute; index += 1) {
    at = began + Math.floor((index * 60_000) / perMinute);
    state = decideQuota(state, askOf(perMinute), at).after;
  }
  return { state, at };
}

describe('a key that takes no notice of 429', () => {
  it.each([
    [60, 2],
    [60, 10],
    [60, 45],
    [300, 6],
    [300, 10],
    [300, 45],
    [1_000, 20],
    [1_000, 45],
  ])('is banned within the first minute on %i a minute, at %i a second: its wait is long', (perMinute, perSecond) => {
    const { bannedAfter, allowed } = goOn(perMinute, perSecond, { state: nothingSpent, at: began });
    expect(allowed).toBe(perMinute);
    expect(bannedAfter).not.toBeNull();
    expect(bannedAfter).toBeLessThan(60);
  });

  it.each([
    [60, 10],
    [60, 45],
    [300, 45],
    [1_000, 45],
  ])(
    'is only refused on %i a minute, at %i a second, where its window is full evenly: fifty in flight that all wait as told look the same',
    (perMinute, perSecond) => {
      const { bannedAfter, allowed, longestWait } = goOn(perMinute, perSecond, atTheLimit(perMinute));
      expect(bannedAfter).toBeNull();
      expect(longestWait).toBeLessThanOrEqual(2);
      expect(allowed).toBeLessThanOrEqual(10 * perMinute);
    },
  );
});
