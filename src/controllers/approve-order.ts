import type { WriteAction } from '../controller-runtime/actions.ts';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { OrderLedger } from '../generated/order-ledger.ts';
import type { PlacedOrder } from '../issuing/order-history.ts';
import { claimWith, grantOf, isJustRecorded, withOrder, withOutcomes } from '../issuing/order-history.ts';
import { approveRequest } from '../issuing/request-status.ts';
import type { CertificateRequest } from '../resources/cert-manager-types.ts';
import { HostnameClaimKind } from '../resources/kinds.ts';
import type { OrderEntry } from '../rules/order-ledger/hostname-orders.ts';

/** What an order of a customer's or of the platform's hostname is approved by. */
interface Ordering {
  readonly now: number;
  readonly claim: HostnameClaim | undefined;
  readonly requests: readonly CertificateRequest[];
  readonly orderLedger: OrderLedger | undefined;
}

/** True when the ledger granted an order for the request, or its order was just recorded on the claim. */
export const hasTurn = (
  { orderLedger, claim, now }: Pick<Ordering, 'orderLedger' | 'claim' | 'now'>,
  request: CertificateRequest,
): boolean =>
  grantOf(orderLedger, request, now) !== undefined || isJustRecorded(claim?.spec.orders ?? [], request, now);

/** Writes the orders onto the claim, where they are others than it has. */
export const recordOrders = (
  claim: HostnameClaim | undefined,
  orders: readonly OrderEntry[],
): readonly WriteAction[] =>
  !claim || orders === claim.spec.orders || orders.length === 0
    ? []
    : [{ verb: 'replace', kind: HostnameClaimKind, object: claimWith(claim, orders) }];

/** Records the outcomes that requests have by now. */
export const settleOrders = ({ claim, requests }: Pick<Ordering, 'claim' | 'requests'>): readonly WriteAction[] =>
  recordOrders(claim, withOutcomes(claim?.spec.orders ?? [], requests));

/** Records the order of a request that has its turn on the claim, then approves it. `isNew`: it was not recorded before. */
export function approveOrder(
  { claim, requests, orderLedger, now }: Ordering & { readonly claim: HostnameClaim },
  request: CertificateRequest,
  placed: Omit<PlacedOrder, 'grant'>,
): { readonly writes: readonly WriteAction[]; readonly isNew: boolean } {
  const before = withOutcomes(claim.spec.orders ?? [], requests);
  const isNew = !isJustRecorded(before, request, now);
  const grant = grantOf(orderLedger, request, now);
  const orders = isNew ? withOrder(before, request, { ...placed, grant }, now) : before;
  return { writes: [...recordOrders(claim, orders), approveRequest(request, now)], isNew };
}
