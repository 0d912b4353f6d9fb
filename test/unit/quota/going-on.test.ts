import { describe, expect, it } from '@jest/globals';
import type { QuotaState } from '../../../src/quota/quota-decision.ts';
import { decideQuota, decisionOf, nothingSpent } from '../../../src/quota/quota-decision.ts';
import type { Ask } from '../../../src/quota/quota-port.ts';
import { drawn, fc } from '../../support/property.ts';

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

/** Asks at a rate until it is banned, for two minutes at most. */
function goOn(perMinute: number, perSecond: number, { state, at }: { state: QuotaState; at: number }): Story {
  const told = { allowed: 0, limited: 0, longestWait: 0 };
  let now = state;
  for (let index = 1; index <= perSecond * 120; index += 1) {
    const time = at + Math.floor((index * 1_000) / perSecond);
    const { figures, after } = decideQuota(now, askOf(perMinute), time);
    const decision = decisionOf(figures, askOf(perMinute));
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
    [300, 8],
    [300, 10],
    [300, 45],
    [1_000, 30],
    [1_000, 45],
  ])('is banned within the first minute on %i a minute, at %i a second: its wait is long', (perMinute, perSecond) => {
    const { bannedAfter, allowed } = goOn(perMinute, perSecond, { state: nothingSpent, at: began });
    expect(allowed).toBe(perMinute);
    expect(bannedAfter).not.toBeNull();
    expect(bannedAfter).toBeLessThan(60);
    expect(bannedAfter).toBeLessThanOrEqual(perMinute / perSecond + 20);
  });

  // Six workers that begin anew after each admitted request are refused in as many seconds: nothing tells the two apart.
  it.each([
    [60, 10],
    [60, 45],
    [300, 45],
    [1_000, 45],
  ])(
    'is refused and not banned on %i a minute, at %i a second, where its window is full evenly: its wait is a tenth of the minute at most',
    (perMinute, perSecond) => {
      const { bannedAfter, allowed, longestWait } = goOn(perMinute, perSecond, atTheLimit(perMinute));
      expect(bannedAfter).toBeNull();
      expect(longestWait).toBeLessThanOrEqual(7);
      expect(allowed).toBeLessThanOrEqual(2 * 1.1 * perMinute);
    },
  );

  // Would fail if what was in flight, or what is sent in the very moment that Retry-After named, were held against a client.
  it('that waits as it is told, with up to fifty requests in flight, is never banned, whatever its limits and its pace', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 0, max: 1_000 }),
        (perMinute, inFlight, pause) => {
          let [state, time, kinds] = [nothingSpent, began, new Set<string>()];
          for (let turn = 0; turn < 30; turn += 1) {
            let wait = 0;
            for (let index = 0; index < inFlight; index += 1) {
              const { figures, after } = decideQuota(
                state,
                askOf(perMinute),
                time + Math.floor((index * 2_000) / inFlight),
              );
              state = after;
              kinds = kinds.add(figures.kind);
              wait = Math.max(wait, (decisionOf(figures, askOf(perMinute)).retryAfter ?? 0) * 1_000);
            }
            time += 2_000 + wait + pause;
          }
          expect([...kinds]).not.toContain('banned');
        },
      ),
      { numRuns: drawn(1_000) },
    );
  });
});
