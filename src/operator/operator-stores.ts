import { keptOfChild } from '../controllers/kept-fields.ts';
import type { Caches } from '../controllers/needs.ts';
import type { WatchedKinds } from '../controllers/watched-kinds.ts';
import { watchedKinds } from '../controllers/watched-kinds.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { KubernetesObject, WatchedKind } from '../kubernetes/kubernetes-port.ts';
import { watch } from '../kubernetes/kubernetes-port.ts';
import { maintainClassCounts } from '../kubernetes/class-counts.ts';
import type { Store, StoreEvent } from '../kubernetes/store.ts';
import type { StoresOf } from '../kubernetes/watch-stores.ts';
import { createStores } from '../kubernetes/watch-stores.ts';
import { IngressKind } from '../resources/kinds.ts';
import type { Ingress, Namespace } from '../resources/kubernetes-types.ts';
import { hostsOf, keptOfOtherIngress } from '../routing/ingress/other-ingresses.ts';
import { observedRoutes } from '../routing/observed-routes.ts';
import type { RouteImplementation } from '../routing/route-port.ts';
import { isChildName } from '../rules/dns-target.ts';
import type { FailureCounts } from '../rules/domain-state.ts';
import { isServed } from '../rules/domain-head.ts';
import { accountLabel } from '../resources/object-metadata.ts';
import { accountOf } from '../controllers/account-lookup.ts';
import type { Change, PrecedenceIndex } from '../controllers/precedence-index.ts';
import { createPrecedenceIndex } from '../controllers/precedence-index.ts';
import { claimKey } from '../rules/claim-name.ts';

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

/** The last conclusive DNS check said no. */
const isFailing = (domain: ProjectDomain): boolean => isServed(domain) && (domain.status?.check?.failures ?? 0) > 0;

/** The class of all of them, beside their namespaces. */
const all = '';

/** Counts served domains, and those of them that fail, with every change; the store must be empty at first. */
function maintainFailureCounts(store: Pick<Store<ProjectDomain>, 'subscribe'>): () => FailureCounts {
  const countOf = (holds: (domain: ProjectDomain) => boolean) =>
    maintainClassCounts(store, (domain) => (holds(domain) ? [all, domain.metadata.namespace ?? ''] : []), [all]);
  const [served, failing] = [countOf(isServed), countOf(isFailing)];
  return () => ({
    served: served().get(all) ?? 0,
    failing: failing().get(all) ?? 0,
    namespaces: served().size - 1,
    failingNamespaces: failing().size - 1,
  });
}

/** A precedence index that is updated with every change of the stores. */
export function maintainPrecedence(
  stores: Pick<StoresOf<WatchedKinds>, 'accounts' | 'namespaces' | 'domains' | 'claims'>,
): PrecedenceIndex {
  const { accounts, namespaces, domains, claims } = stores;
  const precedence = createPrecedenceIndex({
    domainsOf: ({ index, value }) => domains.byIndex(index, value),
    domainAt: (key) => domains.headOf(key),
    domainsIn: (namespace) => domains.byIndex('namespace', namespace),
    accountOf: (namespace) => accountOf(stores, namespace)?.spec.id,
    claimOf: (hostname) => claims.get(claimKey(hostname)),
  });
  domains.subscribe((event) => precedence.domainChanged(changeOf(event)));
  claims.subscribe((event) => precedence.claimChanged(changeOf(event)));
  accounts.subscribe(({ type, object, previous }) => {
    if (type === 'modified' && object.spec.id === previous?.spec.id) return;
    for (const { name } of namespaces.keysByIndex('account', object.metadata.name)) {
      precedence.accountChanged(name);
    }
  });
  namespaces.subscribe(({ type, object, previous }) => {
    if (type !== 'modified' || ownerOf(object) !== ownerOf(previous)) precedence.accountChanged(object.metadata.name);
  });
  return precedence;
}

const changeOf = <T>({ type, object, previous }: StoreEvent<T>): Change<T> =>
  type === 'deleted' ? { before: object, after: undefined } : { before: previous, after: object };

const ownerOf = (namespace: Namespace | undefined): string | undefined => namespace?.metadata.labels?.[accountLabel];
