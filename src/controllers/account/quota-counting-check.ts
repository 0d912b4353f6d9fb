import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import { ResourceQuotaKind } from '../../resources/kinds.ts';
import { managedBy } from '../../resources/object-metadata.ts';
import { quotaSpec, resourceQuotaName } from './resource-quota-manifest.ts';
import type { ObservedQuota } from './account-snapshot.ts';
import { refusesAll } from './account-resource-quota.ts';

/** How long a no is believed; milliseconds. */
const believedMs = 2_000;

export interface QuotaCountingDependencies {
  readonly cluster: Cluster;
  /** the operator's own namespace */
  readonly namespace: string;
  /** milliseconds of a clock that only goes forward */
  readonly elapsed: () => number;
}

/**
 * Whether Kubernetes counts our kinds already. Its controller manager finds new kinds every half minute, and a quota of a kind
 * that it does not know refuses everything for minutes. So it is tried where that does no harm: in the operator's own
 * namespace, which has no Projects. Once it was yes it stays so.
 */
export function createQuotaCountingCheck({
  cluster,
  namespace,
  elapsed,
}: QuotaCountingDependencies): () => Promise<boolean> {
  let counts = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<boolean> = Promise.resolve(false);
  return () => {
    if (counts) return Promise.resolve(true);
    if (elapsed() - askedAt < believedMs) return asking;
    askedAt = elapsed();
    asking = look(cluster, namespace)
      .catch(whereForbidden)
      .then((answer) => (counts = answer));
    return asking;
  };
}

/** Where it may not be tried, an account's own quota is made, looked at, and taken away when it is not counted. */
function whereForbidden(error: unknown): boolean {
  if ((error as { readonly status?: unknown }).status === 403) return true;
  throw error;
}

async function look(cluster: Cluster, namespace: string): Promise<boolean> {
  const key = { name: resourceQuotaName, namespace };
  const { apiVersion, kind } = ResourceQuotaKind;
  const intent = {
    apiVersion,
    kind,
    metadata: { ...key, labels: managedBy },
    spec: quotaSpec({ projects: 0, domains: 0 }),
  };
  const quota = (await cluster.apply(ResourceQuotaKind, intent)) as ObservedQuota;
  if (refusesAll(quota)) await cluster.remove(ResourceQuotaKind, key);
  return quota.status?.used !== undefined && !refusesAll(quota);
}
