import { describe, expect, it } from '@jest/globals';
import { createRecheckLoad, fairLevel } from '../../../src/controller-runtime/recheck-load.ts';
import { fc } from '../../support/property.ts';

const loads = fc.array(fc.double({ min: 0, max: 1_000, noNaN: true }), { maxLength: 20 });
const capacity = fc.double({ min: 0.1, max: 500, noNaN: true });
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('the level at which loads are cut', () => {
  it.each<[sentence: string, loads: readonly number[], capacity: number, level: number]>([
    ['is none where all fit', [1, 2, 3], 6, Number.POSITIVE_INFINITY],
    ['is none where there is no load', [], 1, Number.POSITIVE_INFINITY],
    ['leaves the small ones as they are', [1, 1, 100], 10, 8],
    ['is the same for all that are large', [50, 1, 100], 11, 5],
    ['is an even part where all are large', [7, 7, 7], 6, 2],
  ])('%s', (_, given, most, level) => {
    expect(fairLevel(given, most)).toBeCloseTo(level);
  });

  it('uses the capacity up, and no more, whenever something is cut', () => {
    fc.assert(
      fc.property(loads, capacity, (given, most) => {
        const level = fairLevel(given, most);
        const used = sum(given.map((load) => Math.min(load, level)));
        expect(used).toBeLessThanOrEqual(most * (1 + 1e-9));
        if (level !== Number.POSITIVE_INFINITY) expect(used).toBeCloseTo(most, 6);
      }),
    );
  });
});

describe('the factor of a share', () => {
  /** Each share has so many keys that want a look every 5 s, which takes 200 ms. */
  function loadOf(keys: Readonly<Record<string, number>>) {
    const load = createRecheckLoad({ total: 30, perShare: 9 }, () => 0);
    for (const [share, count] of Object.entries(keys)) {
      for (let key = 0; key < count; key += 1) load.begin(share, 5_000);
      load.took(share, 200);
    }
    return load;
  }

  it.each<[sentence: string, keys: Readonly<Record<string, number>>, share: string, factor: number]>([
    ['is 1 while its rechecks fit', { a: 225 }, 'a', 1],
    ['is what a share wants over what one share may have', { a: 450 }, 'a', 2],
    ['is 1 for a share of few keys beside large ones', { a: 4_000, b: 4_000, c: 4_000, d: 4_000, e: 1 }, 'e', 1],
    ['divides what there is among large shares', { a: 4_000, b: 4_000, c: 4_000, d: 4_000, e: 4_000 }, 'a', 160 / 6],
    ['is 1 for a share without rechecks', { a: 4_000 }, 'b', 1],
  ])('%s', (_, keys, share, factor) => {
    expect(loadOf(keys).factor(share)).toBeCloseTo(factor);
  });

  it('is 1 again once the rechecks are gone, whatever came and went', () => {
    const every = fc.constantFrom(1_000, 5_000, 7_333, 900_000);
    fc.assert(
      fc.property(fc.array(every, { maxLength: 200 }), fc.nat(), (intervals, seed) => {
        const load = createRecheckLoad({ total: 0.001, perShare: 0.001 }, () => 0);
        for (const ms of intervals) load.begin('a', ms);
        load.took('a', 1_000);
        const leaving = intervals.toSorted((a, b) => ((a * seed) % 101) - ((b * seed) % 101));
        for (const ms of leaving) load.end('a', ms);
        expect(load.factor('a')).toBe(1);
        expect(load.stretch()).toEqual({ max: 1, mean: 1 });
      }),
    );
  });

  it('is told as its largest and as the mean over rechecks', () => {
    const { max, mean } = loadOf({ a: 450, b: 450 }).stretch();
    expect(max).toBeCloseTo(2);
    expect(mean).toBeCloseTo(2);
    const mixed = loadOf({ a: 450, b: 225 }).stretch();
    expect(mixed.max).toBeCloseTo(2);
    expect(mixed.mean).toBeCloseTo(1.5);
  });
});
