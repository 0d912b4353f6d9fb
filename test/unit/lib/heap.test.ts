import { describe, expect, it } from '@jest/globals';
import { createHeap } from '../../../src/lib/heap.ts';
import { fc } from '../../support/property.ts';

interface Item {
  readonly at: number;
  slot: number;
}

const item = (at: number): Item => ({ at, slot: -1 });

describe('the heap', () => {
  it('gives the same order as sorting, whatever was taken out of its middle', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.array(fc.nat()), (times, removals) => {
        const heap = createHeap<Item>((a, b) => a.at < b.at);
        const items = times.map(item);
        items.forEach((one) => heap.add(one));
        const gone = new Set(removals.flatMap((index) => items[index] ?? []));
        gone.forEach((one) => heap.remove(one));
        gone.forEach((one) => heap.remove(one));
        const left = items.filter((one) => !gone.has(one));
        expect(left.every((one) => heap.has(one))).toBe(true);
        const taken: number[] = [];
        for (let first = heap.first(); first; first = heap.first()) {
          heap.remove(first);
          taken.push(first.at);
        }
        expect(taken).toEqual(left.map(({ at }) => at).toSorted((a, b) => a - b));
      }),
    );
  });

  it('compares a few times for each of 100,000 items, so that none of them makes another dear', () => {
    let compared = 0;
    const heap = createHeap<Item>((a, b) => {
      compared += 1;
      return a.at < b.at;
    });
    const items = Array.from({ length: 100_000 }, (_, index) => item((index * 7_919) % 100_003));
    items.forEach((one) => heap.add(one));
    const before = compared;
    for (const one of items.slice(0, 1_000)) {
      heap.remove(one);
      heap.add(one);
    }
    expect(compared - before).toBeLessThan(1_000 * 4 * Math.log2(items.length));
  });
});
