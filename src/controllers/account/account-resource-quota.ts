import { noActions, removeAction } from '../../controller-runtime/actions.ts';
import { ResourceQuotaKind } from '../../resources/kinds.ts';
import type { Actions, WriteAction } from '../../controller-runtime/actions.ts';
import type { AccountSnapshot, ObservedQuota, Quantities } from './account-snapshot.ts';
import type { Limits } from '../../rules/plan-limits.ts';
import type { Owner } from '../../resources/object-metadata.ts';
import { childLabels, ownerReference } from '../../resources/object-metadata.ts';

/**
 * The delay before rechecking a problem that somebody else has to fix, in milliseconds: half of how long it has lasted,
 * within the bounds. Thousands of accounts that wait for one administrator then cost little, and a fix of a new problem
 * is noticed soon.
 */
export const requeueBackoffMs = (
  lastedMs: number,
  { least, most }: { readonly least: number; readonly most: number },
): number => Math.min(most, Math.max(least, lastedMs / 2));

/** For when Kubernetes does not count our kinds yet; where it never will, old accounts recheck rarely. */
const retryBounds = { least: 5_000, most: 300_000 } as const;
/** Kubernetes fills in a quota that was just written within a second or two. */
const recheckMs = 2_000;
/** The kube-controller-manager discovers new kinds every half minute. */
const recountMs = 30_000;

/**
 * Caps what can be created with kubectl. While the plan is unknown, the previous caps stay in force. A quota that is not
 * counted rejects everything, so none is created before Kubernetes counts our kinds, and one that exists is removed.
 * Pure.
 */
export function decideResourceQuota(snapshot: AccountSnapshot): Pick<Actions, 'writes' | 'requeueAt'> {
  const { account, namespace, limits, quota, areQuotasCounted, now } = snapshot;
  if (namespace === null || limits === null) return noActions;
  const object = resourceQuota({ namespace, owner: account }, limits.maximum);
  if (quota !== null && refusesAll(quota))
    return { writes: [removeAction(ResourceQuotaKind, quota)], requeueAt: now + recountMs };
  if (quota === null && !areQuotasCounted) {
    return { writes: [], requeueAt: now + requeueBackoffMs(ageMs(snapshot), retryBounds) };
  }
  const writes: readonly WriteAction[] = [{ verb: 'apply', kind: ResourceQuotaKind, object, live: quota }];
  if (quota === null || !covers(quota.spec?.hard, object.spec.hard)) return { writes, requeueAt: now + recheckMs };
  return { writes, requeueAt: quota.status?.hard === undefined ? now + recountMs : null };
}

function ageMs({ account: { metadata }, now }: AccountSnapshot): number {
  return metadata.creationTimestamp === undefined ? 0 : now - Date.parse(metadata.creationTimestamp);
}

/** True when limits are enforced whose usage is unknown (kube-apiserver, plugin ResourceQuota: "status unknown for quota"). */
export const refusesAll = ({ status }: ObservedQuota): boolean =>
  Object.keys(status?.hard ?? {}).some((name) => status?.used?.[name] === undefined);

/** True when Kubernetes enforces the quota with usage that it knows. */
export const isQuotaCounted = (quota: ObservedQuota | null): boolean =>
  quota?.status?.hard !== undefined && !refusesAll(quota);

const covers = (observed: Quantities | undefined, wanted: Quantities): boolean =>
  Object.entries(wanted).every(([name, count]) => observed?.[name] === count);

export const resourceQuotaName = 'projectdomain-maximum';

/**
 * Limits what can be created in an account's namespace. Kubernetes enforces it, so it also holds for kubectl and racing writers. `owner` is the
 * Account: the quota is garbage-collected with it.
 */
export function resourceQuota(
  { namespace, owner }: { readonly namespace: string; readonly owner: Owner },
  maximum: Limits['maximum'],
) {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: {
      name: resourceQuotaName,
      namespace,
      labels: childLabels,
      ownerReferences: [ownerReference(owner, true)],
    },
    spec: quotaSpec(maximum),
  };
}

export const quotaSpec = ({ projects, domains }: Pick<Limits['maximum'], 'projects' | 'domains'>) => ({
  hard: {
    'count/projects.projectdomain.io': quantityOf(projects),
    'count/projectdomains.projectdomain.io': quantityOf(domains),
  },
});

/** A count as the kube-apiserver stores it, or the object would never equal the intent (apimachinery, resource.Quantity). */
function quantityOf(count: number): string {
  const [suffix, power] = suffixes.find(([, thousands]) => count !== 0 && count % thousands === 0) ?? ['', 1];
  return `${count / power}${suffix}`;
}

const suffixes = [
  ['G', 1e9],
  ['M', 1e6],
  ['k', 1e3],
] as const;
