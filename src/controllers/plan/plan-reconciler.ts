import type { PlanLimits } from '../../rules/plan-limits.ts';
import { applyWrites } from '../apply-actions.ts';
import { PlanKind } from '../../resources/kinds.ts';
import type { WriteAction, ReconcileResult } from '../../controller-runtime/actions.ts';
import type { Caches, CommonNeeds } from '../needs.ts';
import type { Controller } from '../controller.ts';
import { itself, one } from '../controller.ts';

export const planController: Controller = {
  workers: one,
  shareOf: itself,
  reconcile: reconcilePlans,
};

/**
 * Creates the installation's Plans that are missing. An existing Plan belongs to the administrator and is never
 * overwritten.
 */
async function reconcilePlans(dependencies: CommonNeeds): Promise<ReconcileResult> {
  return applyWrites(dependencies, missingPlans(dependencies.caches, dependencies.settings.plans));
}

/** Pure except for reading the cache. */
function missingPlans({ plans }: Caches, wanted: Readonly<Record<string, PlanLimits>>): readonly WriteAction[] {
  return Object.entries(wanted)
    .filter(([name]) => plans.get({ namespace: '', name }) === undefined)
    .map(([name, spec]) => {
      const { apiVersion, kind } = PlanKind;
      return { verb: 'create', kind: PlanKind, object: { apiVersion, kind, metadata: { name }, spec } };
    });
}
