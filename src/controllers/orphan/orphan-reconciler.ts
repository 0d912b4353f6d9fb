import type { KubernetesObject, ObjectKey } from '../../kubernetes/kubernetes-port.ts';
import { applyActions } from '../apply-actions.ts';
import { CertificateKind, ProjectDomainKind, ProjectKind } from '../../resources/kinds.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { noActions, removeAction } from '../../controller-runtime/actions.ts';
import type { ReconcilerDependencies, Caches } from '../reconciler-dependencies.ts';
import { parseKey, keyOf } from '../../kubernetes/object-keys.ts';
import type { ReconcileKeys } from '../reconcile-requests.ts';

/** The queue key of a child: the name of its cache and its object key. */
const orphanKey = (cache: string, key: string): string => `${cache}:${key}`;

/**
 * Reconciles one child whose owner is missing from the caches: an owner deleted while nobody watched (the operator was
 * down, a partial restore) must not stay served. Its absence is confirmed live before the child is deleted.
 */
export async function reconcileOrphan(dependencies: ReconcilerDependencies, key: string): Promise<ReconcileResult> {
  const [cache = '', rest = ''] = key.split(':', 2);
  const { kind, child } = childIn(dependencies, cache, parseKey(rest));
  if (!kind || !child || child.metadata.deletionTimestamp || (await ownerLives(dependencies, child))) return {};
  return applyActions(dependencies, { ...noActions, writes: [removeAction(kind, child)] });
}

function childIn({ caches, settings }: ReconcilerDependencies, cache: string, key: ObjectKey) {
  if (cache === 'certificates') return { kind: CertificateKind, child: caches.certificates.get(key) };
  return { kind: settings.routes.kinds[cache], child: caches.routes.objectIn(cache, key) };
}

async function ownerLives(
  { cluster, caches }: ReconcilerDependencies,
  { metadata }: KubernetesObject,
): Promise<boolean> {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return true;
  const key = { namespace: metadata.namespace ?? '', name: owner.name };
  const lives = (found: Pick<KubernetesObject, 'metadata'> | undefined) => found?.metadata.uid === owner.uid;
  if (owner.kind === 'ProjectDomain') {
    return lives(caches.domains.headOf(key)) || lives(await cluster.get(ProjectDomainKind, key));
  }
  if (owner.kind !== 'Project') return true;
  return lives(caches.projects.get(key)) || lives(await cluster.get(ProjectKind, key));
}

/** Keys of the children from one cache whose owner is missing from the caches; the reconcile confirms it live. */
export const orphanKeys = (caches: Caches, cache: string, children: readonly KubernetesObject[]): ReconcileKeys => ({
  orphan: children.filter((child) => !ownerIsCached(caches, child)).map((child) => orphanKey(cache, keyOf(child))),
});

function ownerIsCached({ domains, projects }: Caches, { metadata }: KubernetesObject): boolean {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  const key = { namespace: metadata.namespace ?? '', name: owner?.name ?? '' };
  if (owner?.kind === 'ProjectDomain') return domains.headOf(key) !== undefined;
  return owner?.kind !== 'Project' || projects.headOf(key) !== undefined;
}
