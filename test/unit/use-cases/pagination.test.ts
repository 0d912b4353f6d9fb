import { describe, expect, it } from '@jest/globals';
import { pageOf } from '../../../src/use-cases/pagination.ts';

const keyOf = (name: string) => name;
const shuffled = Array.from({ length: 1_000 }, (_, index) => `n${String((index * 577) % 1_000).padStart(4, '0')}`);

describe('pages of a list that has no order', () => {
  it.each([1, 7, 100])('of %d show every item once, in order', (limit) => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = pageOf(shuffled, keyOf, { limit, cursor });
      expect(page.items.length).toBeLessThanOrEqual(limit);
      seen.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(shuffled.toSorted());
  });

  it('end without a cursor when the last page is full', () => {
    expect(pageOf(['b', 'a'], keyOf, { limit: 2 })).toEqual({ items: ['a', 'b'], nextCursor: null });
  });

  it('go on after an item that was removed meanwhile', () => {
    const { nextCursor } = pageOf(['a', 'b', 'c'], keyOf, { limit: 2 });
    expect(pageOf(['a', 'c'], keyOf, { limit: 2, cursor: nextCursor ?? '' }).items).toEqual(['c']);
  });
});
