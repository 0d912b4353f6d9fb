import { carryOut } from '../apply.ts';
import type { Outcome } from '../plan.ts';
import type { World } from '../world.ts';
import { decide } from './decide.ts';
import { gather } from './snapshot.ts';

/** One visit to the ledger of the issuer that this installation orders of. */
export async function reconcileOrderLedger(world: World): Promise<Outcome> {
  return carryOut(world, decide(await gather(world.caches, world.settings, world.now())));
}
