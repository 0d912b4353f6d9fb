import { describe, expect, it } from '@jest/globals';
import { backoff, withJitter } from '../../../src/lib/backoff.ts';

const bounds = { first: 500, longest: 30_000 };

describe('a back-off', () => {
  it.each([
    [1, 500],
    [2, 1_000],
    [6, 16_000],
    [7, 30_000],
    [5_000, 30_000],
  ])('after %d faults in a row is %d ms', (faults, ms) => {
    expect(backoff(faults, bounds)).toBe(ms);
  });

  it('with jitter is between half of it and all of it, and not always the same', () => {
    const waits = Array.from({ length: 1_000 }, () => withJitter(1_000));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_000);
    expect(new Set(waits).size).toBeGreaterThan(100);
  });
});
