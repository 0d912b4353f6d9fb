/** Items in groups, such that the group with the most items and its oldest item are found at once, however many there are. */
export interface RankedGroups<T> {
  /** An item is in one group once. */
  readonly add: (group: string, item: T) => void;
  readonly delete: (group: string, item: T) => void;
  /** The items of a group, those that were added first before the others. */
  readonly of: (group: string) => Iterable<T>;
  readonly sizeOf: (group: string) => number;
  /** The group with the most items, of equal ones that which has been so large for longest; null where there is no item. */
  readonly largest: () => { readonly group: string; readonly size: number } | null;
}

/** Every call takes the same time, but for the first item of a group. */
export function createRankedGroups<T>(): RankedGroups<T> {
  const items = new Map<string, Set<T>>();
  /** groups by their size */
  const ranks = new Map<number, Set<string>>();
  let most = 0;
  const rank = (group: string, from: number, to: number) => {
    const before = ranks.get(from);
    before?.delete(group);
    if (before?.size === 0) ranks.delete(from);
    if (to > 0) {
      const after = ranks.get(to) ?? new Set();
      ranks.set(to, after.add(group));
    }
    // A size changes by one, so what was the largest is so still, or is one smaller.
    if (to > most) most = to;
    else if (from === most && !ranks.has(from)) most = to;
  };
  return {
    add(group, item) {
      const own = items.get(group) ?? new Set();
      if (own.has(item)) return;
      items.set(group, own.add(item));
      rank(group, own.size - 1, own.size);
    },
    delete(group, item) {
      const own = items.get(group);
      if (!own?.delete(item)) return;
      if (own.size === 0) items.delete(group);
      rank(group, own.size + 1, own.size);
    },
    of: (group) => items.get(group) ?? [],
    sizeOf: (group) => items.get(group)?.size ?? 0,
    largest() {
      const [group] = ranks.get(most) ?? [];
      return group === undefined ? null : { group, size: most };
    },
  };
}
