import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import { ResourceQuotaKind } from '../../resources/kinds.ts';
import { childLabels } from '../../resources/object-metadata.ts';
import { quotaSpec, resourceQuotaName, refusesAll } from './account-resource-quota.ts';
import type { ObservedQuota } from './account-snapshot.ts';
import { refusalOf } from '../../rules/write-refusal.ts';

/** How long a negative answer is reused; milliseconds. */
const negativeTtlMs = 2_000;

export interface QuotaCountingDependencies {
  readonly cluster: Cluster;
  /** the operator's own namespace */
  readonly namespace: string;
  /** milliseconds of a monotonic clock */
  readonly elapsed: () => number;
}

/**
 * Returns a function that tells whether Kubernetes counts our kinds already. The kube-controller-manager discovers new
 * kinds every half minute, and a quota for a kind that it does not know rejects everything for minutes. So a quota is
 * tried where that does no harm: in the operator's own namespace, which has no Projects. A positive answer is final.
 */
export function createQuotaCountingCheck({
  cluster,
  namespace,
  elapsed,
}: QuotaCountingDependencies): () => Promise<boolean> {
  let counts = false;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> = Promise.resolve(false);
  return () => {
    if (counts) return Promise.resolve(true);
    if (elapsed() - checkedAt < negativeTtlMs) return answer;
    checkedAt = elapsed();
    answer = tryQuota(cluster, namespace)
      .catch(assumeCountedIfRefused)
      .then((counted) => (counts = counted));
    return answer;
  };
}

/** Where it cannot be tried, the account's own quota is created, whose refusal is said, and removed again when it is not counted. */
function assumeCountedIfRefused(error: unknown): boolean {
  if (refusalOf(error) !== null) return true;
  throw error;
}

async function tryQuota(cluster: Cluster, namespace: string): Promise<boolean> {
  const key = { name: resourceQuotaName, namespace };
  const { apiVersion, kind } = ResourceQuotaKind;
  const intent = {
    apiVersion,
    kind,
    metadata: { ...key, labels: childLabels },
    spec: quotaSpec({ projects: 0, domains: 0 }),
  };
  const quota = (await cluster.apply(ResourceQuotaKind, intent)) as ObservedQuota;
  if (refusesAll(quota)) await cluster.remove(ResourceQuotaKind, key);
  return quota.status?.used !== undefined && !refusesAll(quota);
}
