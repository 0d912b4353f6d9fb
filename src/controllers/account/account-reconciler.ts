import { randomUUID } from 'node:crypto';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { noActions } from '../../controller-runtime/actions.ts';
import { isAllowed } from '../../kubernetes/access-review.ts';
import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import { parseKey } from '../../kubernetes/object-keys.ts';
import { ResourceQuotaKind } from '../../resources/kinds.ts';
import { clip, schemaBounds } from '../../resources/object-limits.ts';
import { driftTimes, hours } from '../../rules/check-schedule.ts';
import { findCondition, isTrue } from '../../rules/conditions.ts';
import { shareOf } from '../../rules/next-dns-check.ts';
import { applyActions } from '../apply-actions.ts';
import type { AccountNeeds } from './account-needs.ts';
import type { Caches } from '../needs.ts';
import type { ObservedQuota, AccountSnapshot } from './account-snapshot.ts';
import { limitsOf, namespaceOf } from '../account-lookup.ts';
import { decideAccount, accountFindings } from './decide-account.ts';
import { resourceQuotaName } from './account-resource-quota.ts';
import type { Controller } from '../controller.ts';
import { itself } from '../controller.ts';

export const accountController: Controller<AccountNeeds> = {
  workers: ({ account }) => account,
  shareOf: itself,
  reconcile: reconcileAccount,
};

/** Reconciles one Account: generates its id once, and reports whether it can be used. */
export async function reconcileAccount(dependencies: AccountNeeds, key: string): Promise<ReconcileResult> {
  const account = dependencies.caches.accounts.get(parseKey(key));
  if (!account || account.metadata.deletionTimestamp) return {};
  const { caches, now } = dependencies;
  const namespace = namespaceOf(caches, account.metadata.name);
  const gathered = { now: now(), account, limits: limitsOf(caches, account), namespace, newId: randomUUID() };
  const [issuerGuard, gateways] = await Promise.all([dependencies.issuerGuard(), dependencies.gatewayGuard()]);
  const guards = { issuerGuard, gatewayGuard: gateways?.finding ?? null };
  const namespaceCreatedAt = createdAtOf(caches, namespace);
  const requeueAt = settledUntil({ ...gathered, ...guards, namespaceCreatedAt }, dependencies.recentChecks.since);
  if (requeueAt !== null) return applyActions(dependencies, { ...noActions, requeueAt });
  const missing = namespace === null ? [] : await missingRights(dependencies.cluster, namespace);
  const quota = namespace === null ? null : await quotaOf(dependencies, namespace);
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

const quotaOf = async ({ cluster }: AccountNeeds, namespace: string): Promise<ObservedQuota | null> =>
  (await cluster.get<ObservedQuota>(ResourceQuotaKind, { namespace, name: resourceQuotaName })) ?? null;

/** The verbs that the RoleBinding in every account namespace grants (the chart's rbac/account-namespace.yaml). */
const needed = ['create', 'delete'] as const;

/** The verbs on Secrets of a namespace that the kube-apiserver would deny us. */
async function missingRights(cluster: Cluster, namespace: string): Promise<readonly string[]> {
  const allowed = await Promise.all(needed.map((verb) => isAllowed(cluster, { namespace, verb, resource: 'secrets' })));
  return needed.filter((_, index) => !allowed[index]);
}

/** What is known of an account without asking the kube-apiserver. */
type GatheredAccount = Omit<AccountSnapshot, 'missingRights' | 'quota' | 'areQuotasCounted'> & {
  /** when the account's namespace was created, milliseconds since the Unix epoch; null without a namespace */
  readonly namespaceCreatedAt: number | null;
};

/** How often the rights and the quota of an account are read, each account at a moment of its own. */
const readEvery = hours;

/**
 * Until when the rights and the quota of an account need not be read, milliseconds since the Unix epoch; null when they must be
 * read now. A process that begins to lead believes the status of an account where it says of this plan, these caps and
 * this namespace that all is well, until the account's own moment of the hour: what others changed in between is found as
 * soon as if this process had led all the time.
 */
function settledUntil(gathered: GatheredAccount, leadingSince: number): number | null {
  const { account, now } = gathered;
  const { last, next } = driftTimes(shareOf(account.metadata.uid), now, readEvery);
  return last > leadingSince || !isSettled(gathered) ? null : next;
}

/** True when the status is the one that would be written if rights and quota were as they should. */
function isSettled(gathered: GatheredAccount): boolean {
  const { account, namespaceCreatedAt } = gathered;
  const { conditions } = account.status ?? {};
  if (!account.spec.id || namespaceCreatedAt === null) return false;
  const readySince = Date.parse(findCondition(conditions, 'NamespaceReady')?.lastTransitionTime ?? '');
  if (!(readySince >= namespaceCreatedAt)) return false;
  const { generation = 0 } = account.metadata;
  return Object.entries(accountFindings({ ...gathered, missingRights: [] }, true)).every(([type, finding]) => {
    const written = findCondition(conditions, type);
    return (
      isTrue(finding) &&
      written?.status === 'True' &&
      written.observedGeneration === generation &&
      written.message === clip(finding.message, schemaBounds.message)
    );
  });
}
