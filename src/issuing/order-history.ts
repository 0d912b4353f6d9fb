import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { OrderLedger } from '../generated/order-ledger.ts';
import type { Certificate, CertificateRequest } from '../resources/cert-manager-types.ts';
import { findCondition, timestamp } from '../rules/conditions.ts';
import { authorityRetryAfter } from '../rules/order-ledger/authority-retry-after.ts';
import type { OrderClass } from '../rules/order-ledger/order-limits.ts';
import type { LedgerOrder } from '../rules/order-ledger/window-usage.ts';
import type { OrderEntry } from '../rules/order-ledger/hostname-orders.ts';

/** A claim keeps what any limit may still count, and no more than its schema allows. */
const counts = 8 * 24 * 3_600_000;
const alwaysKept = 20;
const kept = 40;

/** A grant may be used this long, and counts a little longer than the reconcile that uses it can last. */
const grantUsable = 90_000;
export const grantCounts = 180_000;

/** A request that was taken away comes again under the same name; its uid does not. */
export const requestId = ({ metadata }: CertificateRequest): string => metadata.uid ?? metadata.name;

/** Has the issuer's ledger an order for this request, granted a moment ago and not used yet? */
export const isGranted = (ledger: OrderLedger | undefined, request: CertificateRequest, now: number): boolean =>
  (ledger?.spec.orders ?? []).some(
    (order) =>
      order.request === requestId(request) && order.state === 'Granted' && Date.parse(order.at) > now - grantUsable,
  );

/** Granted so long ago that no reconcile can use it any more. */
export const isUnused = ({ state, at }: LedgerOrder, now: number): boolean =>
  state === 'Granted' && Date.parse(at) < now - grantCounts;

/** Written down a moment ago, and its approval lost on the way. */
export const isJustRecorded = (orders: readonly OrderEntry[], request: CertificateRequest, now: number): boolean =>
  orders.some((order) => order.request === requestId(request) && Date.parse(order.at) > now - grantUsable);

/** cert-manager renews at two thirds of the lifetime; with some room for clocks and for earlier advice of the authority. */
const renewalWindow = 2 / 5;

/** Share of a certificate's lifetime that is left; null without a certificate. Below 0 once it has ended. */
export function lifetimeLeft(certificate: Certificate | undefined, now: number): number | null {
  const { notBefore, notAfter } = certificate?.status ?? {};
  if (!notBefore || !notAfter) return null;
  const lifetime = Date.parse(notAfter) - Date.parse(notBefore);
  return lifetime > 0 ? (Date.parse(notAfter) - now) / lifetime : null;
}

/** A renewal is what replaces a certificate near its end. Whoever loses a certificate early orders a first one again. */
export function orderClass(certificate: Certificate | undefined, now: number): Exclude<OrderClass, 'Platform'> {
  const left = lifetimeLeft(certificate, now);
  return left !== null && left <= renewalWindow ? 'Renewal' : 'First';
}

/** What is written of an order besides its time. */
export interface PlacedOrder {
  readonly kind: Exclude<OrderClass, 'Platform'>;
  /** nobody could say whether DNS still leads here */
  readonly unconfirmed: boolean;
}

/** The orders with one more about to be placed: written before its request is approved. */
export function withOrder(
  orders: readonly OrderEntry[],
  request: CertificateRequest,
  { kind, unconfirmed }: PlacedOrder,
  now: number,
): readonly OrderEntry[] {
  const id = requestId(request);
  const entry: OrderEntry = {
    request: id,
    at: timestamp(now),
    outcome: 'Pending',
    kind,
    ...(unconfirmed ? { unconfirmed } : {}),
  };
  return [
    ...bounded(
      orders.filter((order) => order.request !== id),
      now,
    ),
    entry,
  ];
}

/** Without what is too old to count; then failures go first, for a success counts for longer than a failure. */
function bounded(orders: readonly OrderEntry[], now: number): readonly OrderEntry[] {
  const recent = orders.filter(({ at }, index) => Date.parse(at) > now - counts || index >= orders.length - alwaysKept);
  const excess = recent.length - (kept - 1);
  if (excess <= 0) return recent;
  const failed = recent.filter(({ outcome }) => outcome === 'Failed').slice(0, excess);
  return recent.filter((order) => !failed.includes(order)).slice(-(kept - 1));
}

/** The orders with the outcomes that their requests show by now; the same array when nothing is new. */
export function withOutcomes(
  orders: readonly OrderEntry[],
  requests: readonly CertificateRequest[],
): readonly OrderEntry[] {
  const updated = orders.map((order) => {
    if (order.outcome !== 'Pending') return order;
    const request = requests.find((candidate) => requestId(candidate) === order.request);
    return request ? settled(order, request) : order;
  });
  return updated.some((order, index) => order !== orders[index]) ? updated : orders;
}

function settled(order: OrderEntry, { status }: CertificateRequest): OrderEntry {
  const ready = findCondition(status?.conditions, 'Ready');
  if (ready?.status === 'True') return { ...order, outcome: 'Issued' };
  if (ready?.reason !== 'Failed') return order;
  const failedAt = Date.parse(status?.failureTime ?? ready.lastTransitionTime ?? order.at);
  const word = authorityRetryAfter(ready.message, failedAt);
  return {
    ...order,
    outcome: 'Failed',
    ...(word ? { scope: word.scope, waitsUntil: timestamp(word.until) } : {}),
  };
}

/** The orders with those of requests that are taken away before they ended: their certificate never comes. */
export const withGivenUp = (
  orders: readonly OrderEntry[],
  requests: readonly CertificateRequest[],
): readonly OrderEntry[] =>
  orders.map((order) => {
    const givenUp = order.outcome === 'Pending' && requests.some((request) => requestId(request) === order.request);
    return givenUp ? { ...order, outcome: 'Failed' } : order;
  });

/** The claim with these orders; for PUT with the version that was read. */
export const claimWith = (claim: HostnameClaim, orders: readonly OrderEntry[]): HostnameClaim => ({
  ...claim,
  spec: { ...claim.spec, orders: [...orders] },
});
