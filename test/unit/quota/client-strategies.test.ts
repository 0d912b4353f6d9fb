import { describe, expect, it } from '@jest/globals';
import type { Strategy, Trial } from '../../support/client-strategies.ts';
import { tryStrategy, untilReset } from '../../support/client-strategies.ts';

/** What the rules of docs/rest-api.md make of clients as people write them, each with one, three and six workers that share a key. */

const second = 1_000;
const upTo = (most: number, wait: number): number => Math.min(most * second, wait * second);

/** Whoever waits as told, or waits longer each time, is never banned, however its library counts, draws and caps. */
const backingOff: readonly (readonly [string, Strategy])[] = [
  ['waits for Retry-After', ({ decision }) => (decision.retryAfter ?? 0) * second],
  ['waits for X-RateLimit-Reset', ({ decision }) => untilReset(decision)],
  [
    'waits for Retry-After and up to ten seconds more',
    ({ decision, random }) => ((decision.retryAfter ?? 0) + 10 * random()) * second,
  ],
  [
    'doubles from a second, ten times (p-retry)',
    ({ attempt }) => (attempt > 10 ? null : upTo(600, 2 ** (attempt - 1))),
  ],
  ['doubles from a second up to ten (capped short)', ({ attempt }) => upTo(10, 2 ** (attempt - 1))],
  ['waits four to ten seconds (tenacity)', ({ attempt }) => upTo(10, Math.max(4, 2 ** attempt))],
  [
    'draws up to twice as long each time (full jitter)',
    ({ attempt, random }) => random() * upTo(60, 2 ** (attempt - 1)),
  ],
  ['draws from a tenth of a second on (AWS)', ({ attempt, random }) => random() * upTo(20, 0.1 * 2 ** attempt)],
  [
    'draws the second half (equal jitter)',
    ({ attempt, random }) => (0.5 + random() / 2) * upTo(30, 2 ** (attempt - 1)),
  ],
  [
    'draws up to three times the last (decorrelated)',
    ({ before, random }) => upTo(30, 1 + random() * (3 * Math.max(1, before / second) - 1)),
  ],
  [
    'waits half as long again each time (backoff for Go)',
    ({ attempt, random }) => (0.5 + random()) * upTo(60, 0.5 * 1.5 ** (attempt - 1)),
  ],
];

/** The bad patterns that docs/rest-api.md names. */
const goingOn: readonly (readonly [string, Strategy])[] = [
  ['repeats at once (a tight loop)', () => 0],
  ['goes on with the next call (no retry)', () => null],
  ['waits a second each time (a fixed pause)', () => second],
];

const workers = [1, 3, 6] as const;
const rows = (strategies: typeof backingOff) =>
  strategies.flatMap(([name, strategy]) => workers.map((count) => [count, name, strategy] as const));

const trial = (given: Pick<Trial, 'workers' | 'seconds' | 'seed'>): Trial => ({ perMinute: 60, latency: 40, ...given });

describe('a client with ever more calls to make than its sixty a minute', () => {
  // Would fail if workers that are refused side by side counted one by one, or if their strikes of one refusal were held against the next.
  it.each(rows(backingOff))('of %i workers that %s is never banned', (count, _, strategy) => {
    for (let seed = 1; seed <= 2; seed += 1) {
      const { bannedAfter, allowed } = tryStrategy(strategy, trial({ workers: count, seconds: 300, seed }));
      expect(bannedAfter).toBeNull();
      expect(allowed).toBeGreaterThan(60);
    }
  });

  it.each(rows(goingOn))(
    'of %i workers that %s is banned within twenty seconds of the first 429',
    (count, _, strategy) => {
      for (let seed = 1; seed <= 2; seed += 1) {
        const { bannedAfter } = tryStrategy(strategy, trial({ workers: count, seconds: 90, seed }));
        expect(bannedAfter).not.toBeNull();
        expect(bannedAfter).toBeLessThanOrEqual(20);
      }
    },
  );

  it.each([
    [1, 'although each of its answers takes a tenth of a second', 100, 20],
    [100, 'no sooner, as what it sends in a second is one strike', 50, 20],
  ])('that repeats at once with %i workers is banned %s', (count, _, latency, most) => {
    const { bannedAfter } = tryStrategy(() => 0, { ...trial({ workers: count, seconds: 90, seed: 1 }), latency });
    expect(bannedAfter).not.toBeNull();
    expect(bannedAfter).toBeLessThanOrEqual(most);
    expect(bannedAfter).toBeGreaterThan(15);
  });

  it('that sends two hundred calls at once, and each again after one, two, four seconds and so on, is never banned', () => {
    const doubling: Strategy = ({ attempt }) => upTo(600, 2 ** (attempt - 1));
    const { bannedAfter } = tryStrategy(doubling, trial({ workers: 200, seconds: 70, seed: 1 }));
    expect(bannedAfter).toBeNull();
  });
});
