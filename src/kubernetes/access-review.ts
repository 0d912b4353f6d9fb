import type { Cluster, Kind, KubernetesObject } from './kubernetes-port.ts';

interface AccessReview extends KubernetesObject {
  readonly status?: { readonly allowed: boolean };
}

const own: Kind<AccessReview> = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
};

const others: Kind<AccessReview> = { ...own, kind: 'SubjectAccessReview', plural: 'subjectaccessreviews' };

/** Somebody else whose rights are asked for. */
export interface Subject {
  readonly user: string;
  readonly groups: readonly string[];
}

/** Whether the authorizer of the cluster lets the subject (ourselves without one) do what `attributes` say. */
export async function isAllowed(cluster: Cluster, attributes: object, subject?: Subject): Promise<boolean> {
  const kind = subject ? others : own;
  const spec = { ...subject, resourceAttributes: attributes };
  const review = await cluster.create(kind, {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { name: '' },
    spec,
  });
  return review.status?.allowed ?? false;
}
