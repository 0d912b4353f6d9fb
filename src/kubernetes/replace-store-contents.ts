import { isDeepStrictEqual } from 'node:util';
import type { TimeSlices } from '../lib/time-slices.ts';
import type { KubernetesObject } from './kubernetes-port.ts';
import type { Store } from './store.ts';
import { keyOf } from './store.ts';

/**
 * Makes a store hold exactly these objects, in time slices as there may be very many. Deletions are reported first,
 * then additions and changes. After a restore of etcd, versions are assigned a second time, so an object may differ
 * although its version is the same; as a store treats equal versions as equal objects, such an object is dropped first.
 */
export async function replaceStoreContents<T extends KubernetesObject>(
  store: Store<T>,
  items: readonly T[],
  slices: TimeSlices,
): Promise<void> {
  const wanted = new Set<string>();
  for (const item of items) {
    await slices.next();
    wanted.add(keyOf(item.metadata));
  }
  for (const known of store.list()) {
    await slices.next();
    if (!wanted.has(keyOf(known.metadata))) store.drop(known);
  }
  for (const item of items) {
    await slices.next();
    const { namespace = '', name, resourceVersion } = item.metadata;
    const known = store.get({ namespace, name });
    const isVersionReused = known?.metadata.resourceVersion === resourceVersion && !isDeepStrictEqual(known, item);
    if (known && isVersionReused) store.drop(known);
    store.put(item);
  }
}
