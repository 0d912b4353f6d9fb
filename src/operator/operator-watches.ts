import { watchedKinds } from '../controllers/watched-kinds.ts';
import type { CachedObject } from '../kubernetes/cluster-client.ts';
import { notCached } from '../kubernetes/cluster-client.ts';
import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import type { Reflector } from '../kubernetes/reflector.ts';
import type { Store } from '../kubernetes/store.ts';
import type { WatchOptions } from '../kubernetes/watch-stores.ts';
import { cachedObjectIn, startReflectors, writtenTo } from '../kubernetes/watch-stores.ts';
import type { RouteImplementation } from '../routing/route-port.ts';
import { isChildName } from '../rules/dns-target.ts';
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

/**
 * One store to the reflector that fills it, and two to everybody else: objects that are named after a hostname of ours in `ours`, all others in `others`. So
 * nothing that looks after our own objects ever meets one of somebody else's.
 */
export function dividedStore<T extends KubernetesObject>(ours: Store<T>, others: Store<T>): Store<T> {
  const storeOf = (name: string): Store<T> => (isChildName(name) ? ours : others);
  return {
    ...ours,
    put: (object) => storeOf(object.metadata.name).put(object),
    drop: (object) => storeOf(object.metadata.name).drop(object),
    holds: (object) => storeOf(object.metadata.name).holds(object),
    get: (key) => storeOf(key.name).get(key),
    has: (key) => storeOf(key.name).has(key),
    *keys() {
      yield* ours.keys();
      yield* others.keys();
    },
    get size() {
      return ours.size + others.size;
    },
  };
}
