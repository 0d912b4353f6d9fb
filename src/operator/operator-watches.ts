import { watchedKinds } from '../controllers/watched-kinds.ts';
import type { CachedObject } from '../kubernetes/cluster-client.ts';
import { notCached } from '../kubernetes/cluster-client.ts';
import type { Reflector } from '../kubernetes/reflector.ts';
import type { WatchOptions } from '../kubernetes/watch-stores.ts';
import { cachedObjectIn, startReflectors } from '../kubernetes/watch-stores.ts';
import type { RouteImplementation } from '../routing/route-port.ts';
import type { OperatorStores } from './operator-stores.ts';
import { routeKindsOf } from './operator-stores.ts';

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
  return new Map([
    ...startReflectors(watchedKinds, stores, { options, signal }),
    ...startReflectors(routeKindsOf(routes), stores.routeStores, { options, signal }),
  ]);
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
