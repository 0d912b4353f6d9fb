import { applyActions } from '../apply-actions.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import type { ReconcilerDependencies } from '../reconciler-dependencies.ts';
import { decideOrderLedger } from './decide-order-ledger.ts';
import { gatherOrderLedger } from './order-ledger-snapshot.ts';

/** Reconciles the OrderLedger of this installation's issuer. */
export async function reconcileOrderLedger(dependencies: ReconcilerDependencies): Promise<ReconcileResult> {
  return applyActions(
    dependencies,
    decideOrderLedger(await gatherOrderLedger(dependencies.caches, dependencies.settings, dependencies.now())),
  );
}
