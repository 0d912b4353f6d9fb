import { sharedString } from '../lib/shared-strings.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import type { KubernetesObject } from './kubernetes-port.ts';
import { keyOf, objectKeyOf, parseKey, queueKey } from './object-keys.ts';
import type { Store } from './store.ts';

/** Makes a store hold exactly the objects of a list whose pages arrive one after the other. */
export interface StoreReplacement<T> {
  /** In time slices, as there may be very many objects. */
  take(objects: readonly T[]): Promise<void>;
  /** Drops every object that no page contained. */
  finish(): Promise<void>;
}

/**
 * A list that ends without `finish` has dropped nothing. After a restore of etcd, versions are assigned a second time, so
 * an object may differ although its version is the same; as a store treats equal versions as equal objects, such an object
 * is dropped first.
 */
export function replaceStoreContents<T extends KubernetesObject>(
  store: Store<T, unknown>,
  slices: TimeSlices,
): StoreReplacement<T> {
  /** What was held before, less what was listed: nothing in the first list, which is the peak of a process' memory. */
  let unlisted: Set<string> | undefined;
  return {
    async take(objects) {
      unlisted ??= await keysOf(store, slices);
      for (const object of objects) {
        await slices.next();
        if (unlisted.delete(keyOf(object))) {
          if (store.holds(object)) continue;
          const known = store.get(objectKeyOf(object));
          if (known?.metadata.resourceVersion === object.metadata.resourceVersion) store.drop(object);
        }
        store.put(object);
      }
    },
    async finish() {
      unlisted ??= await keysOf(store, slices);
      for (const key of unlisted) {
        await slices.next();
        store.drop({ metadata: parseKey(key) });
      }
    },
  };
}

/** The same strings that the store holds. */
async function keysOf(store: Store<KubernetesObject, unknown>, slices: TimeSlices): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const key of store.keys()) {
    await slices.next();
    keys.add(sharedString(queueKey(key)));
  }
  return keys;
}
