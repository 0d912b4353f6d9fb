import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import { isAllowed } from '../../kubernetes/access-review.ts';

/** What a RoleBinding in every account namespace gives (the chart's rbac/account-namespace.yaml). */
const needed = ['create', 'delete'] as const;

/** The verbs on Secrets of a namespace that the API server would refuse us. */
export async function missingRights(cluster: Cluster, namespace: string): Promise<readonly string[]> {
  const allowed = await Promise.all(needed.map((verb) => isAllowed(cluster, { namespace, verb, resource: 'secrets' })));
  return needed.filter((_, index) => !allowed[index]);
}
