import { randomUUID } from 'node:crypto';
import { ResourceQuotaKind } from '../../model/kinds.ts';
import { resourceQuotaName } from '../../routes/resource-quota.ts';
import { carryOut } from '../apply.ts';
import type { Outcome } from '../plan.ts';
import type { World } from '../world.ts';
import { parseKey } from '../keys.ts';
import { decide } from './decide.ts';
import type { SeenQuota } from './maximum.ts';
import { missingRights } from './rights.ts';
import { gather } from './snapshot.ts';

/** One visit to one Account: its id, drawn once, and whether it can be used. */
export async function reconcileAccount(world: World, key: string): Promise<Outcome> {
  const account = world.caches.accounts.get(parseKey(key));
  if (!account || account.metadata.deletionTimestamp) return {};
  const seen = gather(world.caches, account, {
    now: world.now(),
    newId: randomUUID(),
  });
  const missing = seen.namespace === null ? [] : await missingRights(world.cluster, seen.namespace);
  const quota = seen.namespace === null ? null : await quotaOf(world, seen.namespace);
  const counts = await world.countsQuotas();
  const issuerGuard = await world.issuerGuard();
  return carryOut(world, decide(Object.freeze({ ...seen, missingRights: missing, issuerGuard, quota, counts })));
}

const quotaOf = async ({ cluster }: World, namespace: string): Promise<SeenQuota | null> =>
  (await cluster.get<SeenQuota>(ResourceQuotaKind, { namespace, name: resourceQuotaName })) ?? null;
