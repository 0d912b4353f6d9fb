import type { KubernetesObject, ObjectKey, IndexFunction } from '../kubernetes/kubernetes-port.ts';
import type { Store, StoreEvent } from '../kubernetes/store.ts';
import { keyOf, queueKey } from '../kubernetes/object-keys.ts';

/** A change as a listener receives it. */
type ObjectChange<T> = Pick<StoreEvent<T>, 'object' | 'type'>;

export interface KeyedSubscriptions<T extends KubernetesObject> {
  /** Reports every change of one object, which need not exist yet. Returns the function that unsubscribes. */
  subscribeTo(key: ObjectKey, listener: () => void): () => void;
  /** The same for all objects that have, or had before the change, this value of an index. */
  subscribeUnder(index: string, value: string, listener: (change: ObjectChange<T>) => void): () => void;
}

/** Adds subscriptions per object to a store: a change only notifies those who wait for it, not thousands of others. */
export function withKeyedSubscriptions<T extends KubernetesObject, Head>(
  store: Store<T, Head>,
  indexes: Readonly<Record<string, IndexFunction<T>>> = {},
): Store<T, Head> & KeyedSubscriptions<T> {
  const byKey = createGroups<T>();
  const byIndex = new Map(
    Object.entries(indexes).map(([index, valuesOf]) => [index, { valuesOf, groups: createGroups<T>() }]),
  );
  store.subscribe(({ type, object, previous }) => {
    const change = { type, object };
    byKey.notify([keyOf(object)], change);
    for (const { valuesOf, groups } of byIndex.values()) {
      if (groups.isEmpty()) continue;
      groups.notify(new Set([...valuesOf(object), ...(previous ? valuesOf(previous) : [])]), change);
    }
  });
  return Object.assign(store, {
    subscribeTo: (key: ObjectKey, listener: () => void) => byKey.add(queueKey(key), listener),
    subscribeUnder(index: string, value: string, listener: (change: ObjectChange<T>) => void) {
      const found = byIndex.get(index);
      if (!found) throw new Error(`no index ${index}`);
      return found.groups.add(value, listener);
    },
  });
}

/** Listeners by the value that they wait for. */
function createGroups<T>() {
  const groups = new Map<string, Set<(change: ObjectChange<T>) => void>>();
  return {
    isEmpty: () => groups.size === 0,
    notify(values: Iterable<string>, change: ObjectChange<T>) {
      for (const value of values) for (const listener of groups.get(value) ?? []) listener(change);
    },
    /** Each call adds a listener of its own, even if the function is the same. */
    add(value: string, given: (change: ObjectChange<T>) => void): () => void {
      const listener = (change: ObjectChange<T>) => given(change);
      const listeners = groups.get(value) ?? new Set();
      groups.set(value, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && groups.get(value) === listeners) groups.delete(value);
      };
    },
  };
}
