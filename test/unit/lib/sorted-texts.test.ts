import { describe, expect, it } from '@jest/globals';
import { createSortedTexts } from '../../../src/lib/sorted-texts.ts';
import { drawn, fc } from '../../support/property.ts';

const filled = (texts: readonly string[]) => {
  const sorted = createSortedTexts();
  texts.forEach((text) => sorted.add(text));
  return sorted;
};

describe('sorted texts', () => {
  it.each<[string, readonly string[], string | null, readonly string[], readonly string[]]>([
    ['of none', [], null, [], []],
    ['of none, from somewhere', [], 'a', [], []],
    ['from the first and the last', ['b', 'a', 'c'], null, ['a', 'b'], ['c', 'b']],
    ['from one that is there', ['a', 'b', 'c'], 'b', ['c'], ['a']],
    ['from one that is not there', ['a', 'c'], 'b', ['c'], ['a']],
    ['from before the first', ['b', 'c', 'd'], 'a', ['b', 'c'], []],
    ['from behind the last', ['a', 'b', 'c'], 'd', [], ['c', 'b']],
    ['with the empty text', ['', 'a'], null, ['', 'a'], ['a', '']],
    ['added twice', ['a', 'a'], null, ['a'], ['a']],
  ])('%s', (_, texts, from, after, before) => {
    const sorted = filled(texts);
    expect([sorted.after(from, 2), sorted.before(from, 2)]).toEqual([after, before]);
  });

  it('are in order whatever is added and removed, across chunks', () => {
    const text = fc.integer({ min: 0, max: 3_000 }).map(String);
    const changes = fc.array(fc.tuple(fc.boolean(), text), { maxLength: 5_000, size: 'max' });
    fc.assert(
      fc.property(changes, fc.array(text, { minLength: 1, maxLength: 5 }), (all, places) => {
        const [sorted, model] = [createSortedTexts(), new Set<string>()];
        for (const [isAdded, one] of all) {
          if (isAdded) sorted.add(one);
          else sorted.remove(one);
          if (isAdded) model.add(one);
          else model.delete(one);
        }
        const expected = [...model].toSorted();
        expect(sorted.size).toBe(expected.length);
        expect(sorted.after(null, 10_000)).toEqual(expected);
        expect(sorted.before(null, 10_000)).toEqual(expected.toReversed());
        for (const place of places) {
          expect(sorted.after(place, 700)).toEqual(expected.filter((one) => one > place).slice(0, 700));
          expect(sorted.before(place, 700)).toEqual(
            expected
              .filter((one) => one < place)
              .toReversed()
              .slice(0, 700),
          );
        }
      }),
      { numRuns: drawn(60) },
    );
  });

  it('of three thousand, added in an order that is not theirs, are left by none that was removed', () => {
    const texts = Array.from({ length: 3_000 }, (_, at) => `n${String((at * 577) % 3_000).padStart(4, '0')}`);
    const sorted = filled(texts);
    expect(sorted.after(null, 3_000)).toEqual(texts.toSorted());
    texts.forEach((text) => sorted.remove(text));
    expect([sorted.size, sorted.after(null, 1), sorted.before(null, 1)]).toEqual([0, [], []]);
  });
});
