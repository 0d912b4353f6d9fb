import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { applyWrites } from '../apply-actions.ts';
import { CertificateKind, ProjectDomainKind, ProjectKind } from '../../resources/kinds.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { removeAction } from '../../controller-runtime/actions.ts';
import type { CommonNeeds } from '../needs.ts';
import { denyForeignRequest, requestsCache } from './foreign-requests.ts';
import { childIn, parseOrphanKey } from './orphan-keys.ts';
import type { Controller } from '../controller.ts';
import { byNamespace } from '../controller.ts';

export const orphanController: Controller = {
  workers: ({ orphan }) => orphan,
  shareOf: byNamespace,
  reconcile: reconcileOrphan,
};

/**
 * Reconciles one child whose owner is missing from the caches: an owner deleted while nobody watched (the operator was
 * down, a partial restore) must not stay served. Its absence is confirmed live before the child is deleted.
 */
async function reconcileOrphan(dependencies: CommonNeeds, key: string): Promise<ReconcileResult> {
  const { caches, settings } = dependencies;
  const found = parseOrphanKey(key);
  if (found.cache === requestsCache) return denyForeignRequest(dependencies, found.child);
  const child = childIn(caches, found.cache, found.child);
  const kind = found.cache === 'certificates' ? CertificateKind : settings.routes.kinds[found.cache]?.kind;
  if (!kind || !child || child.metadata.deletionTimestamp || (await ownerLives(dependencies, child))) return {};
  return applyWrites(dependencies, [removeAction(kind, child)]);
}

async function ownerLives({ cluster, caches }: CommonNeeds, { metadata }: KubernetesObject): Promise<boolean> {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  if (!owner || !isOurs(owner)) return true;
  const key = { namespace: metadata.namespace ?? '', name: owner.name };
  const lives = (found: Pick<KubernetesObject, 'metadata'> | undefined) => found?.metadata.uid === owner.uid;
  if (owner.kind === 'ProjectDomain') {
    return lives(caches.domains.headOf(key)) || lives(await cluster.get(ProjectDomainKind, key));
  }
  if (owner.kind !== 'Project') return true;
  return lives(caches.projects.get(key)) || lives(await cluster.get(ProjectKind, key));
}

/** Of a kind of ours: others may have a kind of the same name. */
const isOurs = ({ apiVersion }: { readonly apiVersion: string }): boolean =>
  apiVersion.split('/')[0] === ProjectDomainKind.apiVersion.split('/')[0];
