import { applyActions } from '../apply.ts';
import type { ReconcileResult } from '../plan.ts';
import type { ReconcilerDependencies } from '../world.ts';
import { decideOrderLedger } from './decide.ts';
import { gatherOrderLedger } from './snapshot.ts';

/** One visit to the ledger of the issuer that this installation orders of. */
export async function reconcileOrderLedger(dependencies: ReconcilerDependencies): Promise<ReconcileResult> {
  return applyActions(dependencies, decideOrderLedger(await gatherOrderLedger(dependencies.caches, dependencies.settings, dependencies.now())));
}
