import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { pendingRequest } from '../../issuing/request-status.ts';
import { applyWrites } from '../apply-actions.ts';
import type { AcmeOrderNeeds } from './acme-order-needs.ts';
import type { AcmeOrderSnapshot } from './decide-acme-order.ts';
import { isLong, untilNextLook } from './order-attempts.ts';

/**
 * Counts one more look at an order that cannot go on yet, for so many milliseconds, null for soon. Where there were many its request says what it
 * waits for.
 */
export async function waitForOrder(
  dependencies: AcmeOrderNeeds,
  { order, request }: Pick<AcmeOrderSnapshot, 'order' | 'request'>,
  { forMs, because }: { readonly forMs: number | null; readonly because: string | null },
): Promise<ReconcileResult> {
  const attempt = dependencies.orderAttempts.of(order.request);
  if (request && because !== null && isLong(attempt))
    await applyWrites(dependencies, pendingRequest(request, because, dependencies.now()));
  const requeueAfterMs = untilNextLook(attempt, forMs);
  attempt.waits += 1;
  return { requeueAfterMs };
}
