import type { PlanLimits } from '../../model/limits.ts';
import { carryOut } from '../apply.ts';
import { PlanKind } from '../../model/kinds.ts';
import type { Action, Outcome } from '../plan.ts';
import type { Caches, World } from '../world.ts';

/** Creates the installation's plans that are missing. What exists is the administrator's and is never overwritten. */
export async function reconcilePlans(world: World): Promise<Outcome> {
  return carryOut(world, {
    actions: missingPlans(world.caches, world.settings.plans),
    announcements: [],
    revisitAt: null,
  });
}

/** Pure but for reading the cache. */
export function missingPlans({ plans }: Caches, wanted: Readonly<Record<string, PlanLimits>>): readonly Action[] {
  return Object.entries(wanted)
    .filter(([name]) => plans.get({ namespace: '', name }) === undefined)
    .map(([name, spec]) => {
      const { apiVersion, kind } = PlanKind;
      return { verb: 'create', kind: PlanKind, object: { apiVersion, kind, metadata: { name }, spec } };
    });
}
