import type { KubeObject } from '../../kube/port.ts';
import { keyOf } from '../keys.ts';
import type { Keys } from '../wake.ts';
import type { Caches } from '../world.ts';
import type { ChildKind } from './reconcile.ts';
import { orphanKey } from './reconcile.ts';

/** Children whose owner the caches do not show; the visit makes sure. */
export const orphansAmong = (caches: Caches, kind: ChildKind, children: readonly KubeObject[]): Keys => ({
  orphan: children.filter((child) => !ownerIsSeen(caches, child)).map((child) => orphanKey(kind, keyOf(child))),
});

function ownerIsSeen({ domains, projects }: Caches, { metadata }: KubeObject): boolean {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  const key = { namespace: metadata.namespace ?? '', name: owner?.name ?? '' };
  if (owner?.kind === 'ProjectDomain') return domains.get(key) !== undefined;
  return owner?.kind !== 'Project' || projects.get(key) !== undefined;
}
