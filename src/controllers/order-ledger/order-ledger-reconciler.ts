import { applyActions } from '../apply-actions.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { availabilityOf } from '../acme-issuer/ordering-accounts.ts';
import type { OrderLedgerNeeds } from './order-ledger-needs.ts';
import { decideOrderLedger } from './decide-order-ledger.ts';
import { gatherOrderLedger } from './order-ledger-snapshot.ts';
import type { Controller } from '../controller.ts';
import { itself, one } from '../controller.ts';

export const orderLedgerController: Controller<OrderLedgerNeeds> = {
  workers: one,
  shareOf: itself,
  reconcile: reconcileOrderLedger,
};

/** Reconciles the OrderLedger of this installation's issuer. */
export async function reconcileOrderLedger(dependencies: OrderLedgerNeeds): Promise<ReconcileResult> {
  const { caches, settings, accounts, authorityHealth, now } = dependencies;
  const availability = availabilityOf(accounts.of(settings.issuer.name), authorityHealth);
  const snapshot = await gatherOrderLedger({ caches, settings, availability }, now());
  return applyActions(dependencies, decideOrderLedger(snapshot));
}
