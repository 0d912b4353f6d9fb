import { isDeepStrictEqual } from 'node:util';
import type { TimeSlices } from '../lib/time-slices.ts';
import type { KubernetesObject } from './kubernetes-port.ts';
import type { Store } from './store.ts';
import { keyOf } from './store.ts';

/**
 * Makes a store hold exactly these objects, in slices, as there may be very many: what vanished is told as deleted, then
 * what came or changed is told. A restored history gives versions a second time, so the same version of an object may have
 * another content; a store takes equal versions for equal objects, so what differs is taken out of it first.
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
    const isNamesake = known?.metadata.resourceVersion === resourceVersion && !isDeepStrictEqual(known, item);
    if (known && isNamesake) store.drop(known);
    store.put(item);
  }
}
