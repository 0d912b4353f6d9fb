import type { Cluster, Kind, KubernetesObject } from './kubernetes-port.ts';

interface AccessReview extends KubernetesObject {
  readonly status?: { readonly allowed: boolean };
}

const selfReview: Kind<AccessReview> = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
};

const subjectReview: Kind<AccessReview> = {
  ...selfReview,
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
};

/** A user other than ourselves whose permissions are checked. */
export interface Subject {
  readonly user: string;
  readonly groups: readonly string[];
}

/** Whether the cluster's authorizer allows the subject (ourselves when absent) the access in `attributes`. */
export async function isAllowed(cluster: Cluster, attributes: object, subject?: Subject): Promise<boolean> {
  const kind = subject ? subjectReview : selfReview;
  const spec = { ...subject, resourceAttributes: attributes };
  const review = await cluster.create(kind, {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { name: '' },
    spec,
  });
  return review.status?.allowed ?? false;
}
