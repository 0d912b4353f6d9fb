import type { Actions } from '../../controller-runtime/actions.ts';
import { noActions } from '../../controller-runtime/actions.ts';
import type { Gateway, GatewayListener } from '../../resources/gateway-types.ts';
import { GatewayKind } from '../../resources/kinds.ts';
import { isOurs, listenerOf, listenerName, placesIn, securePort } from '../../routing/gateway/gateway-listeners.ts';
import type { GatewayReference } from '../../routing/gateway/gateway-reference.ts';
import type { GrantedHostname } from './granted-hostnames.ts';

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

/**
 * Of the hostnames, those that have a place among a Gateway's listeners, in the order of these: who has a listener keeps it, and one that is
 * free goes to the account with the fewest, then to who came first. No hostname is among them that another's listener for HTTPS has: the
 * API would refuse them all. Pure.
 */
function hostnamesWithPlace(
  listeners: readonly GatewayListener[],
  granted: readonly GrantedHostname[],
): readonly GrantedHostname[] {
  const others = listeners.filter((one) => !isOurs(one) && one.port === securePort);
  const taken = new Set(others.map(({ hostname }) => hostname));
  const order = new Map(listeners.map(({ name }, index) => [name, index]));
  const placeOf = ({ hostname }: GrantedHostname) => order.get(listenerName(hostname));
  const possible = granted.filter(({ hostname }) => !taken.has(hostname));
  const kept = possible
    .filter((one) => placeOf(one) !== undefined)
    .toSorted((one, other) => (placeOf(one) ?? 0) - (placeOf(other) ?? 0));
  const waiting = possible
    .filter((one) => placeOf(one) === undefined)
    .toSorted((one, other) => compare(one.since, other.since) || compare(one.hostname, other.hostname));
  return [...kept, ...inTurn(waiting, kept)].slice(0, placesIn(listeners));
}

/** Those that wait, by how many their account has before each of them; otherwise in the order that they are in. */
function inTurn(waiting: readonly GrantedHostname[], kept: readonly GrantedHostname[]): readonly GrantedHostname[] {
  const counts = new Map<string, number>();
  const countBefore = ({ namespace }: GrantedHostname): number => {
    const before = counts.get(namespace) ?? 0;
    counts.set(namespace, before + 1);
    return before;
  };
  kept.forEach(countBefore);
  const ranked = waiting.map((hostname) => ({ hostname, before: countBefore(hostname) }));
  return ranked.toSorted((one, other) => one.before - other.before).map(({ hostname }) => hostname);
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
