import type { HostnameClaim } from '../generated/hostname-claim.ts';
import { timestamp } from '../rules/conditions.ts';
import type { OrderEntry } from '../rules/order-ledger/hostname-orders.ts';

/** That the certificate of an order has to be revoked, and how that ended. */
export type Revocation = NonNullable<OrderEntry['revocation']>;

/** What an administrator requests of a hostname's certificates. */
export type RevocationRequest = NonNullable<HostnameClaim['spec']['revocation']>;

/** Why, and when that was decided. */
export type RevocationCause = Pick<Revocation, 'reason' | 'since'>;

/** It has still to be revoked. */
export const isOpen = ({ revocation }: OrderEntry): boolean =>
  revocation !== undefined && revocation.result === undefined;

/** There is a certificate of this order that could be revoked, or there may be one soon. `now` in milliseconds since the Unix epoch. */
export function isRevocable({ outcome, acme, revocation }: OrderEntry, now: number): boolean {
  if (!acme || revocation?.result !== undefined) return false;
  return outcome === 'Pending' || (acme.download !== undefined && !isOver(acme.notAfter, now));
}

/** True for a certificate that has ended. */
export const isOver = (notAfter: string | undefined, now: number): boolean =>
  notAfter !== undefined && Date.parse(notAfter) <= now;

/**
 * The orders, with those that `which` takes to be revoked; the same array when nothing changed. What was revoked, or could not be, stays
 * as it is.
 */
export const withRevocations = (
  orders: readonly OrderEntry[],
  { reason, since }: RevocationCause,
  which: (order: OrderEntry) => boolean,
): readonly OrderEntry[] =>
  changedOrders(orders, (order) => (which(order) ? { ...order, revocation: { reason, since } } : order));

/** The orders as they are after a change of some; the same array where none is another. */
export function changedOrders(
  orders: readonly OrderEntry[],
  change: (order: OrderEntry) => OrderEntry,
): readonly OrderEntry[] {
  const changed = orders.map(change);
  return changed.some((order, index) => order !== orders[index]) ? changed : orders;
}

/**
 * The orders as another account takes the hostname over: the certificates of whoever held it before are revoked, for the reason that
 * they were to be revoked for already, if any. RFC 5280 calls this one cessationOfOperation.
 */
export const ofFormerHolder = (orders: readonly OrderEntry[], now: number): readonly OrderEntry[] =>
  withRevocations(
    orders,
    { reason: 'cessationOfOperation', since: timestamp(now) },
    (order) => isRevocable(order, now) && order.revocation === undefined,
  );

/** An administrator's request is not done. */
export const isRequested = ({ revocation }: HostnameClaim['spec']): boolean =>
  revocation !== undefined && revocation.doneAt === undefined;

/** The claim has certificates to revoke, or a request that is not done. */
export const hasRevocations = ({ spec }: HostnameClaim): boolean =>
  isRequested(spec) || (spec.orders ?? []).some(isOpen);

/** The order with an end of its revocation. */
export const revocationEnd = (
  { reason, since }: RevocationCause,
  { result, message }: Pick<Revocation, 'result' | 'message'>,
  now: number,
): Revocation => ({
  reason,
  since,
  ...(result === undefined ? {} : { result, endedAt: timestamp(now) }),
  ...(message === undefined ? {} : { message }),
});
