import type { LiveCache } from '../use-cases/api-dependencies.ts';
import type { Kind, KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import type { Reflector } from '../kubernetes/reflector.ts';
import { startReflector } from '../kubernetes/reflector.ts';
import type { IndexFunction, Store } from '../kubernetes/store.ts';
import { createStore } from '../kubernetes/store.ts';
import type { Transport } from '../kubernetes/transport.ts';
import { accountLabel } from '../resources/account-label.ts';
import {
  AccountKind,
  ApiKeyKind,
  HostnameClaimKind,
  NamespaceKind,
  PlanKind,
  ProjectDomainKind,
  ProjectKind,
} from '../resources/kinds.ts';
import type { Clock } from '../lib/clock.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import type { Log } from '../lib/log.ts';
import { withKeyedSubscriptions } from './keyed-subscriptions.ts';

/** Every kind the API server keeps a copy of, with its indexes (use-cases/api-dependencies.ts' ApiCaches says what they mean). */
export function createApiStores(onFault: (error: unknown) => void) {
  const store = <T extends KubernetesObject>(
    _: Kind<T>,
    indexes: Readonly<Record<string, IndexFunction<T>>> = {},
  ): Store<T> & LiveCache<T> => withKeyedSubscriptions(createStore(indexes, onFault), indexes);
  return Object.freeze({
    plans: store(PlanKind),
    accounts: store(AccountKind),
    namespaces: store(NamespaceKind, {
      account: ({ metadata }) => [metadata.labels?.[accountLabel] ?? ''],
    }),
    projects: store(ProjectKind, { namespace: ({ metadata }) => [metadata.namespace ?? ''] }),
    domains: store(ProjectDomainKind, {
      namespace: ({ metadata }) => [metadata.namespace ?? ''],
      place: ({ metadata, spec }) => [`${metadata.namespace}/${spec.hostname}`],
      project: ({ metadata, spec }) => [`${metadata.namespace}/${spec.project}`],
    }),
    claims: store(HostnameClaimKind),
    apiKeys: store(ApiKeyKind, {
      account: ({ spec }) => [spec.account],
      keyId: ({ spec }) => (spec.keyId === undefined ? [] : [spec.keyId]),
    }),
  });
}

export type ApiStores = ReturnType<typeof createApiStores>;

export interface ApiWatchOptions {
  readonly transport: Transport;
  readonly stores: ApiStores;
  readonly log: Log;
  readonly clock: Clock;
  readonly slices: TimeSlices;
}

/** A reflector for each kind; by name of the store it fills. */
export function startApiWatches(
  { stores, ...options }: ApiWatchOptions,
  signal: AbortSignal,
): ReadonlyMap<string, Reflector> {
  const account = { select: { labelSelector: accountLabel } };
  return new Map([
    ['plans', startReflector({ ...options, kind: PlanKind, store: stores.plans }, signal)],
    ['accounts', startReflector({ ...options, kind: AccountKind, store: stores.accounts }, signal)],
    ['namespaces', startReflector({ ...options, ...account, kind: NamespaceKind, store: stores.namespaces }, signal)],
    ['projects', startReflector({ ...options, kind: ProjectKind, store: stores.projects }, signal)],
    ['domains', startReflector({ ...options, kind: ProjectDomainKind, store: stores.domains }, signal)],
    ['claims', startReflector({ ...options, kind: HostnameClaimKind, store: stores.claims }, signal)],
    ['apiKeys', startReflector({ ...options, kind: ApiKeyKind, store: stores.apiKeys }, signal)],
  ]);
}
