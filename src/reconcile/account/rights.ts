import type { Cluster, Kind, KubeObject } from '../../kube/port.ts';

interface AccessReview extends KubeObject {
  readonly status?: { readonly allowed: boolean };
}

const AccessReviewKind: Kind<AccessReview> = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
};

/** What a RoleBinding in every account namespace gives (the chart's rbac/account-namespace.yaml). */
const needed = ['create', 'delete'] as const;

/** The verbs on Secrets of a namespace that the API server would refuse us. */
export async function missingRights(cluster: Cluster, namespace: string): Promise<readonly string[]> {
  const allowed = await Promise.all(needed.map((verb) => mayI(cluster, namespace, verb)));
  return needed.filter((_, index) => !allowed[index]);
}

async function mayI(cluster: Cluster, namespace: string, verb: string): Promise<boolean> {
  const { apiVersion, kind } = AccessReviewKind;
  const spec = { resourceAttributes: { namespace, verb, resource: 'secrets' } };
  const review = await cluster.create(AccessReviewKind, { apiVersion, kind, metadata: { name: '' }, spec });
  return review.status?.allowed ?? false;
}
