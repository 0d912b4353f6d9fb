import type { KubernetesObject, ObjectKey, IndexFunction } from '../kubernetes/kubernetes-port.ts';
import type { Store, StoreEvent } from '../kubernetes/store.ts';
import { keyOf } from '../kubernetes/store.ts';

/** What a listener to many objects is told. */
type HeardChange<T> = Pick<StoreEvent<T>, 'object' | 'type'>;

export interface KeyedSubscriptions<T extends KubernetesObject> {
  /** Tells of every change of one object, present or not. Returns the function that ends it. */
  subscribeTo(key: ObjectKey, listener: () => void): () => void;
  /** Tells of every change of the objects that are, or were until then, under this value of an index. Returns the same. */
  subscribeUnder(index: string, value: string, listener: (change: HeardChange<T>) => void): () => void;
}

/** Lets a store be heard object by object: thousands who wait for one object each cost a change nothing but its own. */
export function withKeyedSubscriptions<T extends KubernetesObject>(
  store: Store<T>,
  indexes: Readonly<Record<string, IndexFunction<T>>> = {},
): Store<T> & KeyedSubscriptions<T> {
  const byKey = createGroups<T>();
  const byIndex = new Map(
    Object.entries(indexes).map(([index, valuesOf]) => [index, { valuesOf, groups: createGroups<T>() }]),
  );
  store.subscribe(({ type, object, previous }) => {
    const change = { type, object };
    byKey.tell([keyOf(object.metadata)], change);
    for (const { valuesOf, groups } of byIndex.values()) {
      if (groups.isEmpty()) continue;
      groups.tell(new Set([...valuesOf(object), ...(previous ? valuesOf(previous) : [])]), change);
    }
  });
  return Object.assign(store, {
    subscribeTo: (key: ObjectKey, listener: () => void) => byKey.add(keyOf(key), listener),
    subscribeUnder(index: string, value: string, listener: (change: HeardChange<T>) => void) {
      const found = byIndex.get(index);
      if (!found) throw new Error(`no index ${index}`);
      return found.groups.add(value, listener);
    },
  });
}

/** Listeners, found by the value that they wait for. */
function createGroups<T>() {
  const groups = new Map<string, Set<(change: HeardChange<T>) => void>>();
  return {
    isEmpty: () => groups.size === 0,
    tell(values: Iterable<string>, change: HeardChange<T>) {
      for (const value of values) for (const listener of groups.get(value) ?? []) listener(change);
    },
    /** Each call is a listener of its own, whatever function it gives. */
    add(value: string, given: (change: HeardChange<T>) => void): () => void {
      const listener = (change: HeardChange<T>) => given(change);
      const listeners = groups.get(value) ?? new Set();
      groups.set(value, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && groups.get(value) === listeners) groups.delete(value);
      };
    },
  };
}
