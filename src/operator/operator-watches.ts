import type { Kind, KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import type { Reflector } from '../kubernetes/reflector.ts';
import { startReflector } from '../kubernetes/reflector.ts';
import type { Store } from '../kubernetes/store.ts';
import type { Transport } from '../kubernetes/transport.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import type { OperatorStores } from './operator-stores.ts';
import { watched } from './operator-stores.ts';

export interface WatchingOptions {
  readonly transport: Transport;
  readonly stores: OperatorStores;
  readonly log: Log;
  readonly clock: Clock;
  readonly slices: TimeSlices;
}

/** A reflector for each kind; by name of the store it fills. */
export function startWatching(
  { stores, ...common }: WatchingOptions,
  signal: AbortSignal,
): ReadonlyMap<string, Reflector> {
  const begin = <T extends KubernetesObject>(kind: Kind<T>, store: Store<T>, labelSelector?: string): Reflector =>
    startReflector({ ...common, kind, store, select: labelSelector === undefined ? {} : { labelSelector } }, signal);
  return new Map([
    ['plans', begin(watched.plans.kind, stores.plans)],
    ['accounts', begin(watched.accounts.kind, stores.accounts)],
    ['namespaces', begin(watched.namespaces.kind, stores.namespaces, watched.namespaces.labelSelector)],
    ['projects', begin(watched.projects.kind, stores.projects)],
    ['domains', begin(watched.domains.kind, stores.domains)],
    ['claims', begin(watched.claims.kind, stores.claims)],
    ['orderLedgers', begin(watched.orderLedgers.kind, stores.orderLedgers)],
    ['certificates', begin(watched.certificates.kind, stores.certificates, watched.certificates.labelSelector)],
    ['certificateRequests', begin(watched.certificateRequests.kind, stores.certificateRequests)],
    ['ingresses', begin(watched.ingresses.kind, stores.ingresses, watched.ingresses.labelSelector)],
    ['endpointSlices', begin(watched.endpointSlices.kind, stores.endpointSlices)],
    ['issuers', begin(watched.issuers.kind, stores.issuers)],
    ['apiKeys', begin(watched.apiKeys.kind, stores.apiKeys)],
  ]);
}

/** What the stores show of an object of any watched kind. */
export function cachedObjectIn(stores: OperatorStores) {
  const byPlural = new Map<string, { get(key: { namespace: string; name: string }): KubernetesObject | undefined }>(
    Object.entries(watched).map(([name, { kind }]) => [kind.plural, stores[name as keyof typeof watched]]),
  );
  return (kind: Kind, key: { namespace: string; name: string }): KubernetesObject | undefined =>
    byPlural.get(kind.plural)?.get(key);
}
