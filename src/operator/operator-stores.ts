import type { KubernetesObject, WatchedKind } from '../kubernetes/kubernetes-port.ts';
import type { Store } from '../kubernetes/store.ts';
import type { StoresOf } from '../kubernetes/watch-stores.ts';
import { createStores } from '../kubernetes/watch-stores.ts';
import { watch } from '../kubernetes/kubernetes-port.ts';
import type { Caches } from '../controllers/reconciler-dependencies.ts';
import type { WatchedKinds } from '../controllers/watched-kinds.ts';
import { watchedKinds } from '../controllers/watched-kinds.ts';
import { keptOfChild } from '../controllers/kept-fields.ts';
import { hostsOf, keptOfOtherIngress } from '../routing/ingress/other-ingresses.ts';
import { observedRoutes } from '../routing/observed-routes.ts';
import { isChildName } from '../rules/dns-target.ts';
import { IngressKind } from '../resources/kinds.ts';
import type { Ingress } from '../resources/kubernetes-types.ts';
import type { RouteImplementation } from '../routing/route-port.ts';
import { maintainFailureCounts } from './failure-counts.ts';
import { maintainPrecedence } from './maintain-precedence.ts';

/** A store for each watched kind, and what is derived from them with every change. */
export type OperatorStores = StoresOf<WatchedKinds> &
  Pick<Caches, 'routes' | 'precedenceIndex' | 'failureCounts'> & {
    /** Ingresses of others, as far as they have hostnames */
    readonly otherIngresses: Store<Ingress>;
    /** a store for each kind that routes consist of */
    readonly routeStores: Readonly<Record<string, Store<KubernetesObject>>>;
  };

/** The kinds that routes consist of, as rows of a table of watched kinds. */
export const routeKindsOf = ({ kinds }: RouteImplementation): Readonly<Record<string, WatchedKind>> =>
  Object.fromEntries(
    Object.entries(kinds).map(([name, { kind, keep, head }]) => [
      name,
      watch(kind, {
        memory: 'packed',
        keep: keptOfChild(keep ?? ((object) => object)),
        ...(head ? { head } : {}),
      }),
    ]),
  );

/** Ingresses that are not ours: they are found by their hostnames, and nothing is ever written to them. */
const otherKinds = Object.freeze({
  otherIngresses: watch<Ingress>(IngressKind, { memory: 'packed', indexes: { host: hostsOf } }),
});

/** What the one reflector of all Ingresses keeps of each. */
export const keptOfIngress =
  (keep: (object: KubernetesObject) => KubernetesObject | undefined) =>
  (object: KubernetesObject): KubernetesObject | undefined =>
    isChildName(object.metadata.name) ? keep(object) : keptOfOtherIngress(object);

/** Where no wildcard is served, none looks for the hostnames below it. */
const withoutWildcards: WatchedKinds = Object.freeze({
  ...watchedKinds,
  claims: {
    ...watchedKinds.claims,
    indexes: { ...watchedKinds.claims.indexes, below: () => [], suspendedBelow: () => [] },
  },
});

/** Empty stores. What listeners throw goes to `onFault`. */
export function createOperatorStores(routes: RouteImplementation, onFault: (error: unknown) => void): OperatorStores {
  const stores = createStores(routes.servesWildcards ? watchedKinds : withoutWildcards, onFault);
  const routeStores: Readonly<Record<string, Store<KubernetesObject>>> = createStores(routeKindsOf(routes), onFault);
  return Object.freeze({
    ...stores,
    ...createStores(otherKinds, onFault),
    routeStores,
    routes: observedRoutes(routes, (name) => routeStores[name] as Store<KubernetesObject>),
    precedenceIndex: maintainPrecedence(stores),
    failureCounts: maintainFailureCounts(stores.domains),
  });
}

/** The stores that reflectors fill, by name. */
export type WatchedStores = Readonly<Record<string, Store<KubernetesObject, unknown>>>;

/** Every store that a reflector fills. */
export function watchedStoresOf(stores: OperatorStores): WatchedStores {
  const named = Object.keys(watchedKinds).map((name) => [name, stores[name as keyof WatchedKinds]] as const);
  return { ...(Object.fromEntries(named) as unknown as WatchedStores), ...stores.routeStores };
}
