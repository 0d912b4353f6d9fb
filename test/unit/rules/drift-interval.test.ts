import { describe, expect, it } from '@jest/globals';
import { driftInterval, intervalOf } from '../../../src/rules/check-schedule.ts';
import { fc } from '../../support/property.ts';

const minute = 60_000;

it.each<[sentence: string, failingFor: number | null, minutes: number]>([
  ['a domain that fails at no check keeps the budget', null, 180],
  ['one that begins to fail does not', 0, 15],
  ['one that has failed for less than two hours does not', 119, 15],
  ['one that has failed for longer keeps it again, so that an outage of very many ends within it', 120, 180],
])('%s', (_, failingFor, minutes) => {
  const failingSince = failingFor === null ? null : 1_000 * minute - failingFor * minute;
  expect(intervalOf({ failingSince, driftInterval: 180 * minute }, 1_000 * minute)).toBe(minutes * minute);
});

describe('the interval between two looks at a served domain', () => {
  it.each<[sentence: string, served: number, looksPerSecond: number, minutes: number]>([
    ['is 15 minutes without any', 0, 50, 15],
    ['is 15 minutes for ten thousand', 10_000, 50, 15],
    ['is 15 minutes up to what the budget bears', 45_000, 50, 15],
    ['is the next longer one for one more', 45_001, 50, 30],
    ['is 45 minutes for a hundred thousand', 100_000, 50, 45],
    ['is six hours for a million', 1_000_000, 50, 6 * 60],
    ['is 15 minutes again with twice the budget', 90_000, 100, 15],
    ['is a day at most', 100_000_000, 50, 24 * 60],
  ])('%s', (_, served, looksPerSecond, minutes) => {
    expect(driftInterval({ served, looksPerSecond })).toBe(minutes * minute);
  });

  it('never makes more looks than the budget, unless a day would pass, and goes into a day without a remainder', () => {
    fc.assert(
      fc.property(fc.nat(5_000_000), fc.integer({ min: 1, max: 10_000 }), (served, looksPerSecond) => {
        const interval = driftInterval({ served, looksPerSecond });
        const looks = (served * 1_000) / interval;
        expect(looks <= looksPerSecond * (1 + 1e-9) || interval === 24 * 60 * minute).toBe(true);
        expect((24 * 60 * minute) % interval).toBe(0);
      }),
    );
  });

  it('never gets shorter when another domain is served', () => {
    fc.assert(
      fc.property(fc.nat(5_000_000), fc.integer({ min: 1, max: 10_000 }), (served, looksPerSecond) => {
        const now = driftInterval({ served, looksPerSecond });
        expect(driftInterval({ served: served + 1, looksPerSecond })).toBeGreaterThanOrEqual(now);
      }),
    );
  });
});
