import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { keyOf } from '../../kubernetes/object-keys.ts';
import type { ReconcileKeys } from '../reconcile-requests.ts';
import type { Caches } from '../reconciler-dependencies.ts';
import { orphanKey } from './orphan-reconciler.ts';

/** Children, all in one cache, whose owner the caches do not show; the reconcile makes sure. */
export const orphanKeys = (caches: Caches, cache: string, children: readonly KubernetesObject[]): ReconcileKeys => ({
  orphan: children.filter((child) => !ownerIsSeen(caches, child)).map((child) => orphanKey(cache, keyOf(child))),
});

function ownerIsSeen({ domains, projects }: Caches, { metadata }: KubernetesObject): boolean {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  const key = { namespace: metadata.namespace ?? '', name: owner?.name ?? '' };
  if (owner?.kind === 'ProjectDomain') return domains.get(key) !== undefined;
  return owner?.kind !== 'Project' || projects.get(key) !== undefined;
}
