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

/**
 * Most values have one key, which is kept alone, or a few, which are kept in an array that is no longer than they are: a set
 * takes some 200 bytes, and 35 more for each key.
 */
type Keys = string | readonly string[] | Set<string>;

const inArrayAtMost = 32;

function withKey(keys: Keys | undefined, key: string): Keys {
  if (keys === undefined || keys === key) return key;
  if (keys instanceof Set) return keys.add(key);
  if (typeof keys === 'string') return [keys, key];
  if (keys.includes(key)) return keys;
  return keys.length < inArrayAtMost ? keys.concat(key) : new Set(keys).add(key);
}

/** Undefined when none is left. */
function withoutKey(keys: Keys, key: string): Keys | undefined {
  if (typeof keys === 'string') return keys === key ? undefined : keys;
  if (keys instanceof Set) {
    keys.delete(key);
    return keys.size === 0 ? undefined : keys;
  }
  const left = keys.filter((other) => other !== key);
  return left.length === 1 ? left[0] : left;
}

function allOf(keys: Keys | undefined): readonly string[] {
  if (keys === undefined) return [];
  if (typeof keys === 'string') return [keys];
  return keys instanceof Set ? [...keys] : keys;
}

export function createStoreIndex<T>(valuesOf: IndexFunction<T>): StoreIndex<T> {
  const byValue = new Map<string, Keys>();

  const add = (value: string, key: string) => {
    const before = byValue.get(value);
    const after = withKey(before, key);
    if (after !== before) byValue.set(before === undefined ? sharedString(value) : value, after);
  };
  const remove = (value: string, key: string) => {
    const before = byValue.get(value);
    const after = before === undefined ? undefined : withoutKey(before, key);
    if (after === undefined) byValue.delete(value);
    else byValue.set(value, after);
  };

  return {
    replace(key, before, after) {
      const kept = after === undefined ? [] : valuesOf(after);
      for (const value of before === undefined ? [] : valuesOf(before)) if (!kept.includes(value)) remove(value, key);
      for (const value of kept) add(value, key);
    },
    keys: (value) => allOf(byValue.get(value)),
    count: (value) => {
      const keys = byValue.get(value);
      if (keys === undefined || typeof keys === 'string') return keys === undefined ? 0 : 1;
      return keys instanceof Set ? keys.size : keys.length;
    },
    values: () => [...byValue.keys()],
  };
}
