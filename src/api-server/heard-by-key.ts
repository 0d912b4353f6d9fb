import type { KubeObject, ObjectKey } from '../kube/port.ts';
import type { Store } from '../kube/store.ts';

export interface HeardByKey {
  /** Tells of every change of one object, present or not. Returns the function that ends it. */
  subscribeTo(key: ObjectKey, listener: () => void): () => void;
}

const keyOf = ({ namespace, name }: { namespace?: string; name: string }): string => `${namespace ?? ''}/${name}`;

/** Lets a store be heard object by object: thousands who wait for one object each cost a change nothing but its own. */
export function heardByKey<T extends KubeObject>(store: Store<T>): Store<T> & HeardByKey {
  const heard = new Map<string, Set<() => void>>();
  store.subscribe(({ object: { metadata } }) => {
    for (const listener of heard.get(keyOf(metadata)) ?? []) listener();
  });
  return Object.assign(store, {
    subscribeTo(given: ObjectKey, listener: () => void) {
      const key = keyOf(given);
      const listeners = heard.get(key) ?? new Set();
      heard.set(key, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && heard.get(key) === listeners) heard.delete(key);
      };
    },
  });
}
