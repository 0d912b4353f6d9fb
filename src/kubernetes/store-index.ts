import { sharedString } from '../lib/shared-strings.ts';
import type { IndexFunction } from './kubernetes-port.ts';

/** Keys of a store's objects by the values of an index function. */
export interface StoreIndex<T> {
  /** Moves a key from the values of `before` to those of `after`; its place under a value of both stays. */
  replace(key: string, before: T | undefined, after: T | undefined): void;
  /** In the order in which they came under this value. */
  keys(value: string): readonly string[];
  count(value: string): number;
  /** Every value that has a key. */
  values(): readonly string[];
}

/** Most values have one key, which is kept without a set around it: a set takes some 200 bytes. */
type Keys = string | Set<string>;

export function createStoreIndex<T>(valuesOf: IndexFunction<T>): StoreIndex<T> {
  const byValue = new Map<string, Keys>();

  const add = (value: string, key: string) => {
    const keys = byValue.get(value);
    if (keys === undefined) byValue.set(sharedString(value), key);
    else if (typeof keys !== 'string') keys.add(key);
    else if (keys !== key) byValue.set(value, new Set([keys, key]));
  };
  const remove = (value: string, key: string) => {
    const keys = byValue.get(value);
    if (keys === undefined) return;
    if (typeof keys !== 'string') keys.delete(key);
    if (keys === key || (typeof keys !== 'string' && keys.size === 0)) byValue.delete(value);
  };
  const keysOf = (value: string): readonly string[] => {
    const keys = byValue.get(value);
    if (keys === undefined) return [];
    return typeof keys === 'string' ? [keys] : [...keys];
  };

  return {
    replace(key, before, after) {
      const kept = after === undefined ? [] : valuesOf(after);
      for (const value of before === undefined ? [] : valuesOf(before)) if (!kept.includes(value)) remove(value, key);
      for (const value of kept) add(value, key);
    },
    keys: keysOf,
    count: (value) => {
      const keys = byValue.get(value);
      if (keys === undefined) return 0;
      return typeof keys === 'string' ? 1 : keys.size;
    },
    values: () => [...byValue.keys()],
  };
}
