import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { OrderLedger } from '../generated/order-ledger.ts';
import type { Certificate, CertificateRequest } from '../resources/cert-manager-types.ts';
import { findCondition, timestamp } from '../rules/conditions.ts';
import { authorityRetryAfter } from '../rules/order-ledger/authority-retry-after.ts';
import type { OrderEntry } from '../rules/order-ledger/hostname-orders.ts';
import type { PlacedWith, OrderClass } from '../rules/order-ledger/order-limits.ts';
import type { LedgerOrder } from '../rules/order-ledger/window-usage.ts';
import { isEarlyRenewal } from './issue-anew.ts';
import { isUnderWay } from './request-status.ts';
import { changedOrders, isOpen, isRevocable } from './revocations.ts';

/** A claim keeps the orders that any limit may still count, but no more than its schema allows. */
const counts = 8 * 24 * 3_600_000;
const alwaysKept = 20;
const kept = 40;

/** How long a grant may be used, and how long it counts: a little longer than the reconcile that uses it can last. */
const grantUsable = 90_000;
export const grantCounts = 180_000;

/** The claim's orders since its holder proved the name: the earlier ones are another account's business. */
export const ordersOfHolder = ({ spec }: HostnameClaim): readonly OrderEntry[] =>
  (spec.orders ?? []).filter(({ at }) => Date.parse(at) >= Date.parse(spec.proof.at));

/** A deleted request is created again under the same name, but with another uid. */
export const requestId = ({ metadata }: CertificateRequest): string => metadata.uid ?? metadata.name;

/** The recent, unused grant that the issuer's ledger has for this request; undefined without one. */
export const grantOf = (
  ledger: OrderLedger | undefined,
  request: CertificateRequest,
  now: number,
): LedgerOrder | undefined =>
  (ledger?.spec.orders ?? []).find(
    (order) =>
      order.request === requestId(request) && order.state === 'Granted' && Date.parse(order.at) > now - grantUsable,
  );

/** The order was granted so long ago that no reconcile can use it any more. */
export const isUnused = ({ state, at }: LedgerOrder, now: number): boolean =>
  state === 'Granted' && Date.parse(at) < now - grantCounts;

/** The order was recorded a moment ago: if the request is not approved, that write was lost. */
export const isJustRecorded = (orders: readonly OrderEntry[], request: CertificateRequest, now: number): boolean =>
  orders.some((order) => order.request === requestId(request) && Date.parse(order.at) > now - grantUsable);

/** cert-manager renews at two thirds of the lifetime; this leaves a margin for clocks and the authority's advice. */
const renewalWindow = 2 / 5;

/** Share of a certificate's lifetime that is left; null without a certificate. Below 0 once it has ended. */
export function lifetimeLeft(certificate: Certificate | undefined, now: number): number | null {
  const { notBefore, notAfter } = certificate?.status ?? {};
  if (!notBefore || !notAfter) return null;
  const lifetime = Date.parse(notAfter) - Date.parse(notBefore);
  return lifetime > 0 ? (Date.parse(notAfter) - now) / lifetime : null;
}

/** A renewal replaces a certificate near its end, or early for a reason of ours. To replace one that was lost early is a first order again. */
export function orderClass(certificate: Certificate | undefined, now: number): Exclude<OrderClass, 'Platform'> {
  const left = lifetimeLeft(certificate, now);
  return isEarlyRenewal(certificate) || (left !== null && left <= renewalWindow) ? 'Renewal' : 'First';
}

/** What is recorded of an order besides its time. */
export interface PlacedOrder {
  readonly kind: Exclude<OrderClass, 'Platform'>;
  /** it was unknown whether DNS still leads here */
  readonly unconfirmed: boolean;
  /** when DNS was last checked, milliseconds since the Unix epoch; null where that decides nothing */
  readonly checkedAt: number | null;
  /** the label of the challenge zone where its challenges are answered; null where the redirector answers them */
  readonly delegation: string | null;
  /** names of the accounts that CAA permits; null where that restricts nothing */
  readonly permittedAccounts?: readonly string[] | null;
  /** the ledger's grant, which says what account it is placed with */
  readonly grant?: PlacedWith | undefined;
}

/** The orders with one more that is about to be placed: recorded before its request is approved. */
export function withOrder(
  orders: readonly OrderEntry[],
  request: CertificateRequest,
  { kind, unconfirmed, checkedAt, delegation, permittedAccounts = null, grant }: PlacedOrder,
  now: number,
): readonly OrderEntry[] {
  const id = requestId(request);
  const entry: OrderEntry = {
    request: id,
    at: timestamp(now),
    outcome: 'Pending',
    kind,
    ...(unconfirmed ? { unconfirmed } : {}),
    ...(checkedAt === null ? {} : { checkedAt: timestamp(checkedAt) }),
    ...(delegation === null ? {} : { delegation }),
    ...(grant?.issuerAccount === undefined ? {} : { issuerAccount: grant.issuerAccount }),
    ...(permittedAccounts === null ? {} : { permittedAccounts }),
  };
  return [
    ...bounded(
      orders.filter((order) => order.request !== id),
      now,
    ),
    entry,
  ];
}

/**
 * Drops orders too old to count, but for those whose certificate is valid, as it may have to be revoked. Where there are too many: the
 * oldest that nothing counts, then failures, as a success counts for longer than a failure; then the oldest with nothing to revoke; then the oldest.
 */
function bounded(orders: readonly OrderEntry[], now: number): readonly OrderEntry[] {
  const isValid = (order: OrderEntry) => isRevocable(order, now);
  const recent = orders.filter(
    (order, index) => Date.parse(order.at) > now - counts || index >= orders.length - alwaysKept || isValid(order),
  );
  const least: readonly ((order: OrderEntry) => boolean)[] = [
    (order) => order.outcome === 'Abandoned' && !isOpen(order) && !isValid(order),
    (order) => order.outcome === 'Failed' && !isOpen(order),
    (order) => !isOpen(order) && !isValid(order),
    () => true,
  ];
  return least.reduce<readonly OrderEntry[]>(
    (left, isLeast) => withoutOldest(left, isLeast, left.length - (kept - 1)),
    recent,
  );
}

function withoutOldest(
  orders: readonly OrderEntry[],
  which: (order: OrderEntry) => boolean,
  count: number,
): readonly OrderEntry[] {
  if (count <= 0) return orders;
  const dropped = new Set(orders.filter(which).slice(0, count));
  return orders.filter((order) => !dropped.has(order));
}

/**
 * The orders with the outcomes that their requests have by now; the same array when nothing changed. What the operator placed itself
 * has its outcome once its proofs are given up (controllers/acme-order).
 */
export const withOutcomes = (
  orders: readonly OrderEntry[],
  requests: readonly CertificateRequest[],
): readonly OrderEntry[] =>
  changedOrders(orders, (order) => {
    if (order.outcome !== 'Pending' || order.acme) return order;
    const request = requests.find((candidate) => requestId(candidate) === order.request);
    return request ? settled(order, request) : order;
  });

/** How old the recorded check of an order that waits to be placed may become before a later one is recorded. */
const checkKept = 30_000;

/** Of what a later check found. */
interface RecordedCheck extends Pick<PlacedOrder, 'delegation'> {
  readonly permittedAccounts: readonly string[] | null;
  readonly checkedAt: number;
}

/**
 * The orders, with a later check for those that still wait to be placed (isUnplaced); the same array when nothing changed.
 * `checkedAt` in milliseconds since the Unix epoch.
 */
export const withCheck = (
  orders: readonly OrderEntry[],
  requests: readonly CertificateRequest[],
  { checkedAt, delegation, permittedAccounts }: RecordedCheck,
): readonly OrderEntry[] =>
  changedOrders(orders, (order) => {
    const { delegation: before = null, permittedAccounts: permitted = null, ...rest } = order;
    const isOther = before !== delegation || permitted?.join() !== permittedAccounts?.join();
    const isOlder = isOther || checkedAt - Date.parse(order.checkedAt ?? '') > checkKept;
    if (!isOlder || !isUnplaced(order, requests)) return order;
    return {
      ...rest,
      checkedAt: timestamp(checkedAt),
      ...(delegation === null ? {} : { delegation }),
      ...(permittedAccounts === null ? {} : { permittedAccounts }),
    };
  });

/** True for an order that is recorded and approved, and that its authority does not have yet. */
export const isUnplaced = (order: OrderEntry, requests: readonly CertificateRequest[]): boolean =>
  order.outcome === 'Pending' &&
  order.checkedAt !== undefined &&
  order.acme?.order === undefined &&
  requests.some((request) => requestId(request) === order.request && isUnderWay(request));

/** The order with the outcome that its request has; the same object while it has none. */
export function settled(order: OrderEntry, { status }: CertificateRequest): OrderEntry {
  const ready = findCondition(status?.conditions, 'Ready');
  const { lastTransitionTime = order.at } = ready ?? {};
  if (ready?.status === 'True') return { ...order, outcome: 'Issued', endedAt: lastTransitionTime };
  if (ready?.reason !== 'Failed') return order;
  const endedAt = status?.failureTime ?? lastTransitionTime;
  if (isUnrefused(ready.message)) return { ...order, outcome: 'Abandoned', endedAt };
  const failedAt = Date.parse(endedAt);
  const retryAfter = authorityRetryAfter(ready.message, failedAt);
  return {
    ...order,
    outcome: 'Failed',
    endedAt,
    ...(retryAfter ? { scope: retryAfter.scope, waitsUntil: timestamp(retryAfter.until) } : {}),
  };
}

/** The orders, with those of the given requests abandoned: they are deleted before they end, so no certificate follows. As above. */
export const withGivenUp = (
  orders: readonly OrderEntry[],
  requests: readonly CertificateRequest[],
): readonly OrderEntry[] =>
  orders.map((order) => {
    const givenUp =
      order.outcome === 'Pending' && !order.acme && requests.some((request) => requestId(request) === order.request);
    return givenUp ? { ...order, outcome: 'Abandoned' } : order;
  });

/** The claim with these orders; to be replaced with the resourceVersion that was read. */
export const claimWith = (claim: HostnameClaim, orders: readonly OrderEntry[]): HostnameClaim => ({
  ...claim,
  spec: { ...claim.spec, orders: [...orders] },
});

/**
 * How cert-manager reports an order that ended although its authority refused nothing: it expired there, or the authority does not have it
 * any more (pkg/controller/acmeorders of cert-manager). Anchored before anything that a customer's server could have written.
 */
const unrefused =
  /^Failed to wait for order resource "[^"]*" to become ready: order is in "(?:expired" state|errored" state: Failed to (?:retrieve Order resource|fetch authorization|retrieve signed certificate): )/;

/** Whether the message of a failed CertificateRequest tells of such an end. No authority counts that as a failure of the name. */
export const isUnrefused = (message: string | undefined): boolean => unrefused.test(message ?? '');
