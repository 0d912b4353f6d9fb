import { watchedKinds } from '../controllers/watched-kinds.ts';
import type { CachedObject } from '../kubernetes/cluster-client.ts';
import { notCached } from '../kubernetes/cluster-client.ts';
import type { Reflector } from '../kubernetes/reflector.ts';
import type { WatchOptions } from '../kubernetes/watch-stores.ts';
import { cachedObjectIn, startReflectors, writtenTo } from '../kubernetes/watch-stores.ts';
import type { RouteImplementation } from '../routing/route-port.ts';
import { dividedStore } from './divided-store.ts';
import type { OperatorStores } from './operator-stores.ts';
import { keptOfIngress, routeKindsOf } from './operator-stores.ts';

export interface Watched {
  readonly routes: RouteImplementation;
  readonly stores: OperatorStores;
}

/** Starts to fill the stores: a reflector for each kind, by name of the store that it fills. */
export function startOperatorWatches(
  { routes, stores }: Watched,
  options: WatchOptions,
  signal: AbortSignal,
): ReadonlyMap<string, Reflector> {
  const filled = withOthers(routes, stores);
  return new Map([
    ...startReflectors(watchedKinds, stores, { options, signal }),
    ...startReflectors(filled.kinds, filled.stores, { options, signal }),
  ]);
}

/** Where routes consist of Ingresses, those of others are kept besides, apart from ours. */
function withOthers(routes: RouteImplementation, { routeStores, otherIngresses }: OperatorStores) {
  const kinds = routeKindsOf(routes);
  const { ingresses } = kinds;
  const ours = routeStores.ingresses;
  if (!ingresses || !ours) return { kinds, stores: routeStores };
  return {
    kinds: { ...kinds, ingresses: { ...ingresses, keep: keptOfIngress(ingresses.keep) } },
    stores: { ...routeStores, ingresses: dividedStore(ours, otherIngresses as unknown as typeof ours) },
  };
}

/** Gives what a write was answered with to the reflector of its kind, once it has started. */
export function operatorWritten(routes: RouteImplementation, reflectors: () => ReadonlyMap<string, Reflector>) {
  const kinds = { ...watchedKinds, ...routeKindsOf(routes) };
  return writtenTo(kinds, reflectors);
}

/** Looks up an object of any watched kind in the stores. */
export function operatorCachedObject({ routes, stores }: Watched): CachedObject {
  const known = cachedObjectIn(watchedKinds, stores);
  const ofRoutes = cachedObjectIn(routeKindsOf(routes), stores.routeStores);
  return (kind, key) => {
    const found = known(kind, key);
    return found === notCached ? ofRoutes(kind, key) : found;
  };
}
