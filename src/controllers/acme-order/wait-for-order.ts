import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { pendingRequest } from '../../issuing/request-status.ts';
import type { CertificateRequest } from '../../resources/cert-manager-types.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import { applyWrites } from '../apply-actions.ts';
import type { AcmeOrderNeeds } from './acme-order-needs.ts';
import { isLong, untilNextLook } from './order-attempts.ts';

export interface WaitingOrder {
  readonly order: Pick<OrderEntry, 'request'>;
  readonly request: CertificateRequest | undefined;
}

export interface Waiting {
  /** milliseconds; null for soon */
  readonly forMs: number | null;
  /** what for, for people; null where that is a matter of moments */
  readonly sentence: string | null;
}

/** Counts one more look at an order that cannot go on yet. Where there were many its request says what it waits for. */
export async function waitForOrder(
  dependencies: AcmeOrderNeeds,
  { order, request }: WaitingOrder,
  { forMs, sentence }: Waiting,
): Promise<ReconcileResult> {
  const attempt = dependencies.orderAttempts.of(order.request);
  if (request && sentence !== null && isLong(attempt))
    await applyWrites(dependencies, pendingRequest(request, sentence, dependencies.now()));
  const requeueAfterMs = untilNextLook(attempt, forMs);
  attempt.waits += 1;
  return { requeueAfterMs };
}
