import type { Kind, KubeObject } from '../kube/port.ts';
import type { Reflector } from '../kube/reflector.ts';
import { startReflector } from '../kube/reflector.ts';
import type { Store } from '../kube/store.ts';
import type { Transport } from '../kube/transport.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Slices } from '../runtime/slices.ts';
import type { Stores } from './stores.ts';
import { watched } from './stores.ts';

export interface WatchingOptions {
  readonly transport: Transport;
  readonly stores: Stores;
  readonly log: Log;
  readonly clock: Clock;
  readonly slices: Slices;
}

/** A reflector for each kind; by name of the store it fills. */
export function startWatching(
  { stores, ...common }: WatchingOptions,
  signal: AbortSignal,
): ReadonlyMap<string, Reflector> {
  const begin = <T extends KubeObject>(kind: Kind<T>, store: Store<T>, labelSelector?: string): Reflector =>
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
    ['requests', begin(watched.requests.kind, stores.requests)],
    ['ingresses', begin(watched.ingresses.kind, stores.ingresses, watched.ingresses.labelSelector)],
    ['slices', begin(watched.slices.kind, stores.slices)],
    ['issuers', begin(watched.issuers.kind, stores.issuers)],
    ['apiKeys', begin(watched.apiKeys.kind, stores.apiKeys)],
  ]);
}

/** What the stores show of an object of any watched kind. */
export function glimpseOf(stores: Stores) {
  const byPlural = new Map<string, { get(key: { namespace: string; name: string }): KubeObject | undefined }>(
    Object.entries(watched).map(([name, { kind }]) => [kind.plural, stores[name as keyof typeof watched]]),
  );
  return (kind: Kind, key: { namespace: string; name: string }): KubeObject | undefined =>
    byPlural.get(kind.plural)?.get(key);
}
