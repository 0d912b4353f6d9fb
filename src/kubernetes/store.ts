import type { Cache, KubernetesObject, ObjectKey, IndexFunction } from './kubernetes-port.ts';

export interface StoreEvent<T> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: T;
  /** the object before the change; only for `modified` */
  readonly previous: T | undefined;
}

/** The cache of one kind, which a reflector writes and everybody else reads. */
export interface Store<T extends KubernetesObject> extends Cache<T> {
  put(object: T): void;
  drop(object: T): void;
  /** Returns the function that unsubscribes. */
  subscribe(listener: (event: StoreEvent<T>) => void): () => void;
  readonly size: number;
}

/** The key of an object in a store: `namespace/name`, or `/name` when cluster-scoped. */
export const keyOf = ({ namespace, name }: { namespace?: string; name: string }): string =>
  `${namespace ?? ''}/${name}`;

/**
 * Objects are deeply frozen, so that a snapshot cannot change under its reader. What a listener throws goes to
 * `onFault`; the other listeners still receive the event.
 */
export function createStore<T extends KubernetesObject>(
  indexes: Readonly<Record<string, IndexFunction<T>>>,
  onFault: (error: unknown) => void,
): Store<T> {
  const objects = new Map<string, T>();
  const indexed = new Map(Object.keys(indexes).map((index) => [index, new Map<string, Map<string, T>>()]));
  const listeners = new Set<(event: StoreEvent<T>) => void>();

  const eachEntry = (object: T, each: (values: Map<string, Map<string, T>>, value: string) => void) => {
    for (const [index, values] of indexed) for (const value of indexes[index]?.(object) ?? []) each(values, value);
  };
  /** Removes the object from the indexes, except under values where `successor` will take its place. */
  const unlink = (object: T, successor?: T) => {
    for (const [index, values] of indexed) {
      const kept = successor === undefined ? [] : (indexes[index]?.(successor) ?? []);
      for (const value of indexes[index]?.(object) ?? []) if (!kept.includes(value)) remove(values, value, object);
    }
  };
  const remove = (values: Map<string, Map<string, T>>, value: string, object: T) => {
    const bucket = values.get(value);
    bucket?.delete(keyOf(object.metadata));
    if (bucket?.size === 0) values.delete(value);
  };
  const link = (object: T) =>
    eachEntry(object, (values, value) => {
      const bucket = values.get(value) ?? new Map<string, T>();
      values.set(value, bucket.set(keyOf(object.metadata), object));
    });
  const valuesOf = (index: string) => {
    const values = indexed.get(index);
    if (!values) throw new Error(`no index ${index}`);
    return values;
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

  const drop = (object: T) => {
    const key = keyOf(object.metadata);
    const before = objects.get(key);
    if (!before) return;
    objects.delete(key);
    unlink(before);
    notify({ type: 'deleted', object: before, previous: undefined });
  };
  const put = (given: T) => {
    const object = deepFreeze(given);
    const key = keyOf(object.metadata);
    const before = objects.get(key);
    if (before && before.metadata.resourceVersion === object.metadata.resourceVersion) return;
    const recreated = before !== undefined && before.metadata.uid !== object.metadata.uid;
    if (recreated) drop(before);
    else if (before) unlink(before, object);
    objects.set(key, object);
    link(object);
    notify(
      before && !recreated
        ? { type: 'modified', object, previous: before }
        : { type: 'added', object, previous: undefined },
    );
  };

  return {
    put,
    drop,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get: (key: ObjectKey) => objects.get(keyOf(key)),
    list: () => [...objects.values()],
    byIndex: (index, value) => [...(valuesOf(index).get(value)?.values() ?? [])],
    indexValues: (index) => [...valuesOf(index).keys()],
    get size() {
      return objects.size;
    },
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
  return value;
}
