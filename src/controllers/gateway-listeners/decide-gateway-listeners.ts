import type { Actions } from '../../controller-runtime/actions.ts';
import { noActions } from '../../controller-runtime/actions.ts';
import type { Gateway } from '../../resources/gateway-types.ts';
import { GatewayKind } from '../../resources/kinds.ts';
import type { GatewayReference } from '../../routing/gateway/gateway-reference.ts';
import { isOurs, listenerOf } from '../../routing/gateway/gateway-listeners.ts';
import type { GrantedHostname } from './granted-hostnames.ts';
import { hostnamesWithPlace } from './hostnames-with-place.ts';

/** Everything that is decided from for one Gateway, frozen. */
export interface GatewayListenersSnapshot {
  /** milliseconds since the Unix epoch */
  readonly now: number;
  readonly reference: GatewayReference;
  /** as it was read; null when there is none */
  readonly gateway: Gateway | null;
  readonly granted: readonly GrantedHostname[];
}

/** A Gateway is not watched; it is looked at this often, in milliseconds, as its administrator may have replaced what it says. */
const lookEvery = 10_000;

/** Writes the listeners of the hostnames that have a place; those that others wrote stay. Pure. */
export function decideGatewayListeners({ now, reference, gateway, granted }: GatewayListenersSnapshot): Actions {
  const later = { ...noActions, requeueAt: now + lookEvery };
  if (gateway === null || gateway.metadata.deletionTimestamp !== undefined) return later;
  const { spec = {}, ...rest } = gateway;
  const before = spec.listeners ?? [];
  const { namespace, name } = reference;
  const object = {
    apiVersion: GatewayKind.apiVersion,
    kind: GatewayKind.kind,
    metadata: { namespace, name },
    spec: { listeners: hostnamesWithPlace(before, granted).map(listenerOf) },
  };
  const own = before.filter(isOurs);
  if (own.length === 0 && object.spec.listeners.length === 0) return later;
  // What others wrote is no part of what is compared.
  const live = { ...rest, spec: { ...spec, listeners: own } };
  return { ...later, writes: [{ verb: 'apply', kind: GatewayKind, object, live }] };
}
