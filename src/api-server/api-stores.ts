import type { Account } from '../generated/account.ts';
import type { HeadOf, KubernetesObject, ObjectOf, WatchedKind } from '../kubernetes/kubernetes-port.ts';
import { watch } from '../kubernetes/kubernetes-port.ts';
import type { Reflector } from '../kubernetes/reflector.ts';
import type { Store } from '../kubernetes/store.ts';
import type { WatchOptions } from '../kubernetes/watch-stores.ts';
import { createStores, startReflectors } from '../kubernetes/watch-stores.ts';
import {
  AccountKind,
  ApiKeyKind,
  HostnameClaimKind,
  NamespaceKind,
  PlanKind,
  ProjectDomainKind,
  ProjectKind,
} from '../resources/kinds.ts';
import type { Namespace } from '../resources/kubernetes-types.ts';
import { accountLabel } from '../resources/object-metadata.ts';
import { claimWithoutOrders } from '../rules/hostname-claims.ts';
import type { LiveCache } from '../use-cases/api-dependencies.ts';
import { headOfListed } from '../use-cases/listed-head.ts';
import { withKeyedSubscriptions } from './keyed-subscriptions.ts';

/** Every kind that the API server caches, with its indexes. */
const watchedKinds = Object.freeze({
  plans: watch(PlanKind),
  accounts: watch(AccountKind, { keep: keptOfAccount }),
  namespaces: watch(NamespaceKind, {
    labelSelector: accountLabel,
    keep: keptOfNamespace,
    indexes: { account: ({ metadata }) => [metadata.labels?.[accountLabel] ?? ''] },
  }),
  projects: watch(ProjectKind, {
    memory: 'packed',
    indexes: { namespace: ({ metadata }) => [metadata.namespace ?? ''] },
  }),
  domains: watch(ProjectDomainKind, {
    memory: 'packed',
    head: headOfListed,
    indexes: {
      namespace: ({ metadata }) => [metadata.namespace ?? ''],
      /** namespace/hostname */
      place: ({ metadata, spec }) => [`${metadata.namespace}/${spec.hostname}`],
      project: ({ metadata, spec }) => [`${metadata.namespace}/${spec.project}`],
    },
  }),
  claims: watch(HostnameClaimKind, { memory: 'packed', keep: claimWithoutOrders }),
  apiKeys: watch(ApiKeyKind, {
    indexes: {
      account: ({ spec }) => [spec.account],
      keyId: ({ spec }) => (spec.keyId === undefined ? [] : [spec.keyId]),
    },
  }),
});

type Watched = typeof watchedKinds;

export type ApiStores = {
  readonly [Name in keyof Watched]: Store<ObjectOf<Watched[Name]>, HeadOf<Watched[Name]>> &
    LiveCache<ObjectOf<Watched[Name]>, HeadOf<Watched[Name]>>;
};

/** Empty stores with subscriptions per object. What listeners throw goes to `onFault`. */
export function createApiStores(onFault: (error: unknown) => void): ApiStores {
  const stores = createStores(watchedKinds, onFault);
  const kept = Object.entries(watchedKinds).map(([name, { indexes }]) => {
    const store = stores[name as keyof Watched] as Store<KubernetesObject>;
    return [name, withKeyedSubscriptions(store, indexes as WatchedKind['indexes'])] as const;
  });
  return Object.freeze(Object.fromEntries(kept)) as unknown as ApiStores;
}

/** Starts to fill the stores: a reflector for each kind, by name of the store that it fills. */
export const startApiWatches = (
  stores: ApiStores,
  options: WatchOptions,
  signal: AbortSignal,
): ReadonlyMap<string, Reflector> => startReflectors(watchedKinds, stores, { options, signal });

/** What the API server's caches keep of kinds that it reads and never writes. Fields that are absent stay absent. */

/** Without status, labels and annotations. */
export function keptOfAccount({ apiVersion, kind, metadata, spec }: Account): Account {
  return { apiVersion, kind, metadata: identityOf(metadata), spec };
}

/** Which account it belongs to. */
export function keptOfNamespace({ apiVersion, kind, metadata }: Namespace): Namespace {
  const account = metadata.labels?.[accountLabel];
  const labels = account === undefined ? {} : { labels: { [accountLabel]: account } };
  return { apiVersion, kind, metadata: { ...identityOf(metadata), ...labels } };
}

function identityOf({ name, uid = '', resourceVersion = '', deletionTimestamp }: Account['metadata']) {
  return { name, uid, resourceVersion, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) };
}
