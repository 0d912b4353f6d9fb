/** Requests that wait to be decided, in turns over the budgets that they are for: a busy account waits behind itself. */
export interface DecisionQueue<Item> {
  /** how many wait, of one budget or of all */
  readonly size: (budget?: string) => number;
  add(budget: string, item: Item): void;
  /** Removes and returns at most so many: one of each budget, then the next of each. */
  take(most: number): readonly Item[];
}

export function createDecisionQueue<Item>(): DecisionQueue<Item> {
  // A Map iterates in the order of insertion, entries that are added meanwhile included.
  let waiting = new Map<string, Item[]>();
  let size = 0;
  return {
    size: (budget) => (budget === undefined ? size : (waiting.get(budget)?.length ?? 0)),
    add(budget, item) {
      const line = waiting.get(budget);
      if (line) line.push(item);
      else waiting.set(budget, [item]);
      size += 1;
    },
    take(most) {
      const taken: Item[] = [];
      for (const [budget, line] of waiting) {
        if (taken.length === most) break;
        waiting.delete(budget);
        taken.push(...line.splice(0, 1));
        if (line.length > 0) waiting.set(budget, line);
      }
      size -= taken.length;
      // The tables that a Map outgrows stay in memory with all that was in them while one of them is old: a new one has none.
      if (size === 0) waiting = new Map();
      return taken;
    },
  };
}
