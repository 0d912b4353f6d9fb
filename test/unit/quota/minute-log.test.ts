import { describe, expect, it } from '@jest/globals';
import type { MinuteLog } from '../../../src/quota/minute-log.ts';
import { current, fallsTo, joined, usedOf, withSpent } from '../../../src/quota/minute-log.ts';
import { fc } from '../../support/property.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');

/** Requests that are admitted while one is left, as the decision has it. */
class Budget {
  log: MinuteLog = [];
  readonly admitted: number[] = [];
  longest = 0;
  readonly #perMinute: number;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  ask(nowMs: number): boolean {
    this.log = current(this.log, nowMs);
    if (usedOf(this.log) >= this.#perMinute) return false;
    this.log = withSpent(this.log, { cost: 1, perMinute: this.#perMinute, nowMs });
    this.longest = Math.max(this.longest, this.log.length);
    this.admitted.push(nowMs);
    return true;
  }

  burst(nowMs: number, count: number): void {
    for (let index = 0; index < count; index += 1) this.ask(nowMs);
  }

  /** Bursts of so many, each after a pause in milliseconds. */
  askAll(steps: readonly (readonly [pauseMs: number, count: number])[]): this {
    let now = noon;
    for (const [ms, count] of steps) {
      now += ms;
      this.burst(now, count);
    }
    return this;
  }

  /** When one passes, by what the log promises. */
  passesAt(nowMs: number): number {
    return fallsTo(current(this.log, nowMs), this.#perMinute - 1, nowMs);
  }
}

/** The most that any sixty seconds saw. */
function mostInAMinute(times: readonly number[]): number {
  let first = 0;
  return times.reduce((most, at, index) => {
    while ((times[first] ?? 0) <= at - 60_000) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}

/** Fills an entry within `lead` milliseconds, and then asks whenever one passes; when those were that were admitted. */
function afterSlowEntry(perMinute: number, lead: number): readonly number[] {
  const budget = new Budget(perMinute);
  for (let index = 0; index < perMinute / 10; index += 1)
    budget.ask(noon + Math.floor((index * lead * 10) / perMinute));
  for (let now = noon + lead; now < noon + 200_000; now = Math.max(now + 1, budget.passesAt(now)))
    while (budget.ask(now));
  return budget.admitted;
}

/** How many an exact log, which remembers every request, admits of the same. */
function exactly(times: readonly number[], perMinute: number): number {
  const admitted: number[] = [];
  let first = 0;
  for (const at of times) {
    while ((admitted[first] ?? Number.POSITIVE_INFINITY) <= at - 60_000) first += 1;
    if (admitted.length - first < perMinute) admitted.push(at);
  }
  return admitted.length;
}

const limits = fc.constantFrom(1, 2, 5, 9, 10, 11, 19, 60, 300);

describe('the log of a minute', () => {
  // Whoever knows the rules chooses pauses around 600 ms, the end of a minute, and bursts of any size.
  const pause = fc.oneof(
    fc.integer({ min: 0, max: 3_000 }),
    fc.constantFrom(0, 1, 599, 600, 601, 5_999, 6_000, 54_000, 59_399, 59_400, 59_999, 60_000),
    fc.integer({ min: 50_000, max: 70_000 }),
  );
  const adversary = fc.array(fc.tuple(pause, fc.integer({ min: 1, max: 80 })), { minLength: 1, maxLength: 150 });

  it('admits at most 1.10 times the limit in any sixty seconds, however its entries are timed', () => {
    fc.assert(
      fc.property(adversary, limits, (steps, perMinute) => {
        const budget = new Budget(perMinute).askAll(steps);
        expect(mostInAMinute(budget.admitted)).toBeLessThanOrEqual(Math.floor(perMinute * 1.1));
      }),
      { numRuns: 3_000 },
    );
  });

  it('admits at most 1.10 times the limit of requests that come whenever one passes, and an entry that fills slowly before a burst', () => {
    const leads = Array.from({ length: 40 }, (_, index) => index * 1_500);
    for (const [perMinute, lead] of [10, 60, 300, 1_000].flatMap((limit) =>
      leads.map((lead) => [limit, lead] as const),
    ))
      expect(mostInAMinute(afterSlowEntry(perMinute, lead))).toBeLessThanOrEqual(perMinute * 1.1);
  });

  it.each([
    ['bursts of ten seconds', 60, (at: number) => (at % 40_000 < 10_000 ? 100 : 30_000)],
    ['bursts of three seconds', 300, (at: number) => (at % 25_000 < 3_000 ? 10 : 22_000)],
    ['twenty seconds on and a minute off', 60, (at: number) => (at % 80_000 < 20_000 ? 250 : 60_000)],
    ['just what is allowed', 60, () => 1_000],
    ['three times what is allowed', 300, () => 67],
  ])('admits at most a hundredth less than an exact log: %s', (_, perMinute, pauseAt) => {
    const budget = new Budget(perMinute);
    const asked: number[] = [];
    for (let at = 0; at < 3_600_000; at += pauseAt(at)) asked.push(noon + at);
    for (const at of asked) budget.ask(at);
    const exact = exactly(asked, perMinute);
    expect(budget.admitted.length / exact).toBeGreaterThanOrEqual(0.99);
    expect(budget.admitted.length / exact).toBeLessThanOrEqual(1.1);
  });

  it('stays short', () => {
    fc.assert(
      fc.property(adversary, limits, (steps, perMinute) => {
        const budget = new Budget(perMinute).askAll(steps);
        expect(budget.longest).toBeLessThanOrEqual(20);
      }),
      { numRuns: 500 },
    );
  });

  it('tells the very millisecond at which one passes, never more than a minute ahead', () => {
    fc.assert(
      fc.property(adversary, limits, (steps, perMinute) => {
        const budget = new Budget(perMinute);
        let now = noon;
        for (const [ms, count] of steps) {
          now += ms;
          budget.burst(now, count);
          const passesAt = budget.passesAt(now);
          if (passesAt === now) continue;
          expect(passesAt - now).toBeLessThanOrEqual(60_000);
          expect(usedOf(current(budget.log, passesAt - 1))).toBeGreaterThanOrEqual(perMinute);
          expect(usedOf(current(budget.log, passesAt))).toBeLessThan(perMinute);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('moves with a clock that is set back, so that nothing is forgotten and nothing stays for longer than a minute', () => {
    let log: MinuteLog = [];
    for (let index = 0; index < 10; index += 1)
      log = withSpent(current(log, noon + index * 5_000), { cost: 1, perMinute: 60, nowMs: noon + index * 5_000 });
    const back = current(log, noon - 3_600_000);
    expect(usedOf(back)).toBe(10);
    expect(usedOf(current(back, noon - 3_600_000 + 60_000))).toBe(0);
  });
});

describe('two logs', () => {
  const entry = (firstMs: number, count: number, span = 0) => ({ firstMs, lastMs: firstMs + span, count });

  const sum = (one: number, two: number) => one + two;

  it.each([
    ['of one history count what either knows more of', Math.max, [entry(1, 5, 10), entry(20, 2), entry(30, 1)]],
    ['of two histories count both', sum, [entry(1, 8, 10), entry(20, 2), entry(30, 1)]],
  ])('%s', (_, combine, expected) => {
    expect(joined([entry(1, 3), entry(20, 2)], [entry(1, 5, 10), entry(30, 1)], combine)).toEqual(expected);
  });

  it('together are as short as one, and lose nothing', () => {
    const many = (from: number) => Array.from({ length: 50 }, (_, index) => entry(from + index * 1_000, 1));
    const both = joined(many(0), many(500), sum);
    expect(both).toHaveLength(60);
    expect(usedOf(both)).toBe(100);
  });
});
