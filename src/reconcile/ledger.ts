import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { CertificateRequest } from '../model/cert-manager.ts';
import { findCondition, timestamp } from '../model/condition.ts';

/** One order of a name, as it stands on the name's claim. */
export type OrderEntry = NonNullable<HostnameClaim['spec']['orders']>[number];

/** Let's Encrypt: five failed authorizations per name, account and hour, refilled one every twelve minutes. */
const failuresPerHour = 5;
const hour = 3_600_000;
/** What is older plays no part in any limit; what is more is not kept. */
const remembered = 7 * 24 * hour;
const kept = 20;

/** Milliseconds since the Unix epoch until which no order of this name may be placed; null when one may be. */
export function waitsUntil(orders: readonly OrderEntry[], now: number): number | null {
  const failed = orders
    .filter((order) => order.outcome === 'Failed')
    .map((order) => Date.parse(order.at))
    .filter((at) => at > now - hour)
    .sort((a, b) => a - b);
  const oldest = failed[failed.length - failuresPerHour];
  return oldest === undefined ? null : oldest + hour;
}

export const isRecorded = (orders: readonly OrderEntry[], request: CertificateRequest): boolean =>
  orders.some((order) => order.request === idOf(request));

/** A request that was taken away comes again under the same name; its uid does not. */
const idOf = ({ metadata }: CertificateRequest): string => metadata.uid ?? metadata.name;

/** The orders with one more about to be placed: written before its request is approved. */
export function withOrder(
  orders: readonly OrderEntry[],
  request: CertificateRequest,
  now: number,
): readonly OrderEntry[] {
  const recent = orders.filter((order) => Date.parse(order.at) > now - remembered).slice(-(kept - 1));
  return [...recent, { request: idOf(request), at: timestamp(now), outcome: 'Pending' }];
}

/** The orders with the outcomes that their requests show by now; the same array when nothing is new. */
export function withOutcomes(
  orders: readonly OrderEntry[],
  requests: readonly CertificateRequest[],
): readonly OrderEntry[] {
  const updated = orders.map((order) => {
    if (order.outcome !== 'Pending') return order;
    const outcome = outcomeOf(requests.find((request) => idOf(request) === order.request));
    return outcome === 'Pending' ? order : { ...order, outcome };
  });
  return updated.some((order, index) => order !== orders[index]) ? updated : orders;
}

function outcomeOf(request: CertificateRequest | undefined): OrderEntry['outcome'] {
  const ready = findCondition(request?.status?.conditions, 'Ready');
  if (ready?.status === 'True') return 'Issued';
  return ready?.reason === 'Failed' ? 'Failed' : 'Pending';
}
