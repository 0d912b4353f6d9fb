import type { KubernetesObject } from '../../kube/port.ts';
import { keyOf } from '../keys.ts';
import type { ReconcileKeys } from '../wake.ts';
import type { Caches } from '../world.ts';
import type { ChildKind } from './reconcile.ts';
import { orphanKey } from './reconcile.ts';

/** Children whose owner the caches do not show; the visit makes sure. */
export const orphanKeys = (caches: Caches, kind: ChildKind, children: readonly KubernetesObject[]): ReconcileKeys => ({
  orphan: children.filter((child) => !ownerIsSeen(caches, child)).map((child) => orphanKey(kind, keyOf(child))),
});

function ownerIsSeen({ domains, projects }: Caches, { metadata }: KubernetesObject): boolean {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  const key = { namespace: metadata.namespace ?? '', name: owner?.name ?? '' };
  if (owner?.kind === 'ProjectDomain') return domains.get(key) !== undefined;
  return owner?.kind !== 'Project' || projects.get(key) !== undefined;
}
