import { describe, expect, it } from '@jest/globals';
import { createRankedGroups } from '../../../src/lib/socket-places.ts';

/** Fails when another group than the largest is named, or another item than the oldest comes first. */
describe('ranked groups', () => {
  it('have none that is the largest while there is no item', () => {
    const groups = createRankedGroups<number>();
    expect(groups.largest()).toBeNull();
    groups.add('a', 1);
    groups.delete('a', 1);
    groups.delete('a', 1);
    expect(groups.largest()).toBeNull();
    expect([...groups.of('a')]).toEqual([]);
  });

  it('name the largest one after every change, as counting them all would', () => {
    const groups = createRankedGroups<number>();
    const counted = new Map<string, Set<number>>();
    let seed = 7;
    const draw = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    for (let step = 0; step < 5_000; step += 1) {
      const [group, item] = [`g${draw(7)}`, draw(12)];
      const own = counted.get(group) ?? new Set();
      counted.set(group, own);
      if (draw(2) === 0) {
        groups.add(group, item);
        own.add(item);
      } else {
        groups.delete(group, item);
        own.delete(item);
      }
      const most = Math.max(...[...counted.values()].map(({ size }) => size));
      const largest = groups.largest();
      expect(largest?.size ?? 0).toBe(most);
      if (largest) expect([...groups.of(largest.group)]).toEqual([...(counted.get(largest.group) ?? [])]);
    }
  });
});
