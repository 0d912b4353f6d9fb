import { randomUUID } from 'node:crypto';
import { ResourceQuotaKind } from '../../model/kinds.ts';
import { resourceQuotaName } from '../../routes/resource-quota.ts';
import { applyActions } from '../apply.ts';
import type { ReconcileResult } from '../plan.ts';
import type { ReconcilerDependencies } from '../world.ts';
import { parseKey } from '../keys.ts';
import { decideAccount } from './decide.ts';
import type { ObservedQuota } from './maximum.ts';
import { missingRights } from './rights.ts';
import { gatherAccount } from './snapshot.ts';

/** One visit to one Account: its id, drawn once, and whether it can be used. */
export async function reconcileAccount(dependencies: ReconcilerDependencies, key: string): Promise<ReconcileResult> {
  const account = dependencies.caches.accounts.get(parseKey(key));
  if (!account || account.metadata.deletionTimestamp) return {};
  const seen = gatherAccount(dependencies.caches, account, {
    now: dependencies.now(),
    newId: randomUUID(),
  });
  const missing = seen.namespace === null ? [] : await missingRights(dependencies.cluster, seen.namespace);
  const quota = seen.namespace === null ? null : await quotaOf(dependencies, seen.namespace);
  const areQuotasCounted = await dependencies.areQuotasCounted();
  const issuerGuard = await dependencies.issuerGuard();
  return applyActions(dependencies, decideAccount(Object.freeze({ ...seen, missingRights: missing, issuerGuard, quota, areQuotasCounted })));
}

const quotaOf = async ({ cluster }: ReconcilerDependencies, namespace: string): Promise<ObservedQuota | null> =>
  (await cluster.get<ObservedQuota>(ResourceQuotaKind, { namespace, name: resourceQuotaName })) ?? null;
