import { randomUUID } from 'node:crypto';
import { carryOut } from '../apply.ts';
import type { Finding } from '../../model/condition.ts';
import type { Outcome } from '../plan.ts';
import type { World } from '../world.ts';
import { parseKey } from '../world.ts';
import { decide } from './decide.ts';
import { judgeSetup, lookAtCertManager } from './issuer-guard.ts';
import { missingRights } from './rights.ts';
import { gather } from './snapshot.ts';

async function guardOf({ cluster, settings: { certManager, issuer } }: World): Promise<Finding | null> {
  if (certManager === null) return null;
  return judgeSetup(await lookAtCertManager(cluster, certManager, issuer), issuer);
}

/** One visit to one Account: its id, drawn once, and whether it can be used. */
export async function reconcileAccount(world: World, key: string): Promise<Outcome> {
  const account = world.caches.accounts.get(parseKey(key));
  if (!account || account.metadata.deletionTimestamp) return {};
  const seen = gather(world.caches, account, {
    now: world.now(),
    newId: randomUUID(),
    redirector: world.settings.redirector,
  });
  const missing = seen.namespace === null ? [] : await missingRights(world.cluster, seen.namespace);
  const issuerGuard = await guardOf(world);
  return carryOut(world, decide(Object.freeze({ ...seen, missingRights: missing, issuerGuard })));
}
