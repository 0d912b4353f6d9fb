import { randomUUID } from 'node:crypto';
import { ResourceQuotaKind } from '../../resources/kinds.ts';
import { resourceQuotaName } from './resource-quota-manifest.ts';
import { applyActions } from '../apply-actions.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import type { Caches, ReconcilerDependencies } from '../reconciler-dependencies.ts';
import { noActions } from '../../controller-runtime/actions.ts';
import { settledUntil } from './settled-account.ts';
import { parseKey } from '../../kubernetes/object-keys.ts';
import { decideAccount } from './decide-account.ts';
import type { ObservedQuota } from './account-snapshot.ts';
import { gatherAccount } from './account-snapshot.ts';
import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import { isAllowed } from '../../kubernetes/access-review.ts';

/** Reconciles one Account: generates its id once, and reports whether it can be used. */
export async function reconcileAccount(dependencies: ReconcilerDependencies, key: string): Promise<ReconcileResult> {
  const account = dependencies.caches.accounts.get(parseKey(key));
  if (!account || account.metadata.deletionTimestamp) return {};
  const gathered = gatherAccount(dependencies.caches, account, {
    now: dependencies.now(),
    newId: randomUUID(),
  });
  const [issuerGuard, gateways] = await Promise.all([dependencies.issuerGuard(), dependencies.gatewayGuard()]);
  const guards = { issuerGuard, gatewayGuard: gateways?.finding ?? null };
  const namespaceCreatedAt = createdAtOf(dependencies.caches, gathered.namespace);
  const requeueAt = settledUntil({ ...gathered, ...guards, namespaceCreatedAt }, dependencies.recentChecks.since);
  if (requeueAt !== null) return applyActions(dependencies, { ...noActions, requeueAt });
  const missing = gathered.namespace === null ? [] : await missingRights(dependencies.cluster, gathered.namespace);
  const quota = gathered.namespace === null ? null : await quotaOf(dependencies, gathered.namespace);
  const areQuotasCounted = await dependencies.areQuotasCounted();
  const snapshot = Object.freeze({ ...gathered, missingRights: missing, ...guards, quota, areQuotasCounted });
  return applyActions(dependencies, decideAccount(snapshot), {
    about: account,
    again: (refused) => decideAccount({ ...snapshot, refused }),
  });
}

function createdAtOf({ namespaces }: Caches, name: string | null): number | null {
  const created = name === null ? undefined : namespaces.get({ namespace: '', name })?.metadata.creationTimestamp;
  return created === undefined ? null : Date.parse(created);
}

const quotaOf = async ({ cluster }: ReconcilerDependencies, namespace: string): Promise<ObservedQuota | null> =>
  (await cluster.get<ObservedQuota>(ResourceQuotaKind, { namespace, name: resourceQuotaName })) ?? null;

/** The verbs that the RoleBinding in every account namespace grants (the chart's rbac/account-namespace.yaml). */
const needed = ['create', 'delete'] as const;

/** The verbs on Secrets of a namespace that the kube-apiserver would deny us. */
async function missingRights(cluster: Cluster, namespace: string): Promise<readonly string[]> {
  const allowed = await Promise.all(needed.map((verb) => isAllowed(cluster, { namespace, verb, resource: 'secrets' })));
  return needed.filter((_, index) => !allowed[index]);
}
