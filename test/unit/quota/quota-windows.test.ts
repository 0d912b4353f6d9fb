import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { BudgetState } from '../../../src/quota/quota-windows.ts';
import { minuteWindow, shifted } from '../../../src/quota/quota-windows.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');

const spent = (bucket: number, counts: readonly number[]): BudgetState => ({
  bucket,
  counts,
  day: 20_454,
  dayCount: 0,
});
const minuteAt = (state: BudgetState, limit: number, nowMs: number) =>
  minuteWindow(shifted(state, nowMs), limit, nowMs);

describe('the minute', () => {
  it('resets in the very second that trying every second finds', () => {
    const seven = (max: number) => fc.array(fc.nat({ max }), { minLength: 7, maxLength: 7 });
    const counts = fc.oneof(seven(30), seven(200_000));
    const limit = fc.constantFrom(1, 5, 60, 1_000, 500_000);
    fc.assert(
      fc.property(counts, limit, fc.nat({ max: 80_000 }), (spentBefore, perMinute, sinceMs) => {
        const state = spent(noon / 10_000, spentBefore);
        const nowMs = noon + sinceMs;
        const { remaining, resetAt } = minuteAt(state, perMinute, nowMs);
        const now = Math.floor(nowMs / 1_000);
        if (remaining === perMinute) return expect(resetAt).toBe(now);
        let second = now + 1;
        while (minuteAt(state, perMinute, second * 1_000).remaining <= remaining) second += 1;
        expect(resetAt).toBe(second);
      }),
      { numRuns: 5_000 },
    );
  });

  it('counts to the last request where thousands lie in one bucket', () => {
    // Three seconds into the bucket 0.7 x 10 001 = 7 000.7 of them are left: more than 7 000 that would leave room.
    const state = spent(noon / 10_000, [0, 0, 0, 0, 0, 0, 10_001]);
    expect(minuteAt(state, 7_001, noon)).toMatchObject({ passes: false, resetAt: noon / 1_000 + 4 });
  });

  it('admits again only when all that was spent at once has left it', () => {
    const state = spent(noon / 10_000, [1_000, 0, 0, 0, 0, 0, 0]);
    expect(minuteAt(state, 1, noon + 5_000)).toMatchObject({ passes: false, resetAt: noon / 1_000 + 70 });
  });

  it('forgets nothing when the clock is set back', () => {
    const state = spent(noon / 10_000, [1, 0, 0, 0, 0, 0, 4]);
    expect(minuteAt(state, 5, noon - 3_000)).toEqual(minuteAt(state, 5, noon - 7_000));
    expect(minuteAt(state, 5, noon - 3_000)).toMatchObject({ remaining: 0, passes: false });
  });
});
