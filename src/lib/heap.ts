/** An element of a heap. `slot` is maintained by the heap: the item's position in it, or -1 outside of it. */
export interface HeapItem {
  slot: number;
}

/** A priority queue in which adding an item and removing any item take O(log n). */
export interface Heap<T extends HeapItem> {
  first(): T | undefined;
  add(item: T): void;
  /** Does nothing when the item is not in the heap. */
  remove(item: T): void;
  has(item: T): boolean;
  readonly size: number;
}

/**
 * A binary heap that tracks each item's position. `goesFirst(a, b)` is a strict order; an item's rank in it must not
 * change while the item is in the heap.
 */
export function createHeap<T extends HeapItem>(goesFirst: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = [];

  const set = (slot: number, item: T) => {
    items[slot] = item;
    item.slot = slot;
  };
  const rise = (item: T, from: number) => {
    let slot = from;
    while (slot > 0) {
      const above = (slot - 1) >> 1;
      const parent = items[above] as T;
      if (!goesFirst(item, parent)) break;
      set(slot, parent);
      slot = above;
    }
    set(slot, item);
  };
  const smallerChild = (slot: number): number => {
    const left = 2 * slot + 1;
    const right = left + 1;
    if (right < items.length && goesFirst(items[right] as T, items[left] as T)) return right;
    return left;
  };
  const sink = (item: T, from: number) => {
    let slot = from;
    for (let child = smallerChild(slot); child < items.length; child = smallerChild(slot)) {
      const below = items[child] as T;
      if (!goesFirst(below, item)) break;
      set(slot, below);
      slot = child;
    }
    set(slot, item);
  };

  return {
    first: () => items[0],
    add(item) {
      items.push(item);
      rise(item, items.length - 1);
    },
    remove(item) {
      const { slot } = item;
      if (items[slot] !== item) return;
      item.slot = -1;
      const last = items.pop() as T;
      if (last === item) return;
      rise(last, slot);
      sink(last, last.slot);
    },
    has: (item) => items[item.slot] === item,
    get size() {
      return items.length;
    },
  };
}
