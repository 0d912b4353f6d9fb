import { sharedString } from '../lib/shared-strings.ts';
import type { Cache, KubernetesObject, ObjectKey, IndexFunction } from './kubernetes-port.ts';
import { keyOf, parseKey, queueKey } from './object-keys.ts';
import type { Representation } from './representations.ts';
import { asTheyAre, deepFreeze } from './representations.ts';

export interface StoreEvent<T> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: T;
  /** the object before the change; only for `modified` */
  readonly previous: T | undefined;
}

/** The cache of one kind, which a reflector writes and everybody else reads. */
export interface Store<T extends KubernetesObject, Head = T> extends Cache<T, Head> {
  put(object: T): void;
  /** Removes the object of this namespace and name. */
  drop(object: Pick<KubernetesObject, 'metadata'>): void;
  /** True when it holds an object of the same name that is equal in every field. */
  holds(object: T): boolean;
  /** Returns the function that unsubscribes. */
  subscribe(listener: (event: StoreEvent<T>) => void): () => void;
  readonly size: number;
}

/**
 * Objects are deeply frozen, so that a snapshot cannot change under its reader. What a listener throws goes to
 * `onFault`; the other listeners still receive the event.
 */
export function createStore<T extends KubernetesObject, Head = T>(
  indexes: Readonly<Record<string, IndexFunction<T>>>,
  onFault: (error: unknown) => void,
  representation: Representation<T, Head> = asTheyAre<T>() as unknown as Representation<T, Head>,
): Store<T, Head> {
  const held = new Map<string, unknown>();
  const indexed = new Map(Object.entries(indexes).map(([name, valuesOf]) => [name, createStoreIndex(valuesOf)]));
  const listeners = new Set<(event: StoreEvent<T>) => void>();

  const wholeAt = (key: string): T | undefined => {
    const found = held.get(key);
    return found === undefined ? undefined : representation.whole(found);
  };
  const indexNamed = (name: string) => {
    const index = indexed.get(name);
    if (!index) throw new Error(`no index ${name}`);
    return index;
  };
  const notify = (event: StoreEvent<T>) => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        onFault(error);
      }
    }
  };

  const drop = (dropped: Pick<KubernetesObject, 'metadata'>) => {
    const key = keyOf(dropped);
    const before = wholeAt(key);
    if (!before) return;
    held.delete(key);
    for (const index of indexed.values()) index.replace(key, before, undefined);
    notify({ type: 'deleted', object: before, previous: undefined });
  };
  const put = (given: T) => {
    const object = deepFreeze(given);
    const key = sharedString(keyOf(object));
    const known = wholeAt(key);
    if (known && known.metadata.resourceVersion === object.metadata.resourceVersion) return;
    const isRecreated = known !== undefined && known.metadata.uid !== object.metadata.uid;
    if (isRecreated) drop(known);
    const before = isRecreated ? undefined : known;
    held.set(key, representation.hold(object));
    for (const index of indexed.values()) index.replace(key, before, object);
    notify({ type: before ? 'modified' : 'added', object, previous: before });
  };

  function* values(): Iterable<T> {
    for (const found of held.values()) yield representation.whole(found);
  }

  return {
    put,
    drop,
    holds(object) {
      const found = held.get(keyOf(object));
      return found !== undefined && representation.isEqual(found, object);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get: (key: ObjectKey) => wholeAt(queueKey(key)),
    has: (key: ObjectKey) => held.has(queueKey(key)),
    headOf: (key: ObjectKey) => {
      const found = held.get(queueKey(key));
      return found === undefined ? undefined : representation.head(found);
    },
    stampOf: (key: ObjectKey) => held.get(queueKey(key)),
    list: () => [...values()],
    values,
    *keys() {
      for (const key of held.keys()) yield parseKey(key);
    },
    byIndex: (index, value) =>
      indexNamed(index)
        .keys(value)
        .map((key) => representation.head(held.get(key))),
    keysByIndex: (index, value) => indexNamed(index).keys(value).map(parseKey),
    countByIndex: (index, value) => indexNamed(index).count(value),
    indexValues: (index) => indexNamed(index).values(),
    get size() {
      return held.size;
    },
  };
}

/** Keys of a store's objects by the values of an index function. */
interface StoreIndex<T> {
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

function createStoreIndex<T>(valuesOf: IndexFunction<T>): StoreIndex<T> {
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
