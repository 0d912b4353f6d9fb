import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { applyActions } from '../apply-actions.ts';
import { CertificateKind, IngressKind, ProjectDomainKind, ProjectKind } from '../../resources/kinds.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { noActions } from '../../controller-runtime/actions.ts';
import type { ReconcilerDependencies } from '../reconciler-dependencies.ts';
import { parseKey } from '../../kubernetes/object-keys.ts';

/** Children of ours that serve a hostname, by the word that begins their key. */
const kinds = { ingress: IngressKind, certificate: CertificateKind } as const;

export type ChildKind = keyof typeof kinds;

export const orphanKey = (kind: ChildKind, key: string): string => `${kind}:${key}`;

/**
 * One reconcile of one child whose owner was not to be seen: what was removed while nobody looked (the operator down, a
 * partial restore) must not go on serving. Absence is asked live before anything is deleted.
 */
export async function reconcileOrphan(dependencies: ReconcilerDependencies, key: string): Promise<ReconcileResult> {
  const [word = '', rest = ''] = key.split(':', 2);
  const kind = kinds[word as ChildKind];
  const child = (word === 'ingress' ? dependencies.caches.ingresses : dependencies.caches.certificates).get(
    parseKey(rest),
  );
  if (!child || child.metadata.deletionTimestamp || (await ownerLives(dependencies, child))) return {};
  const { namespace = '', name, uid } = child.metadata;
  const preconditions = uid ? { uid } : {};
  return applyActions(dependencies, {
    ...noActions,
    writes: [{ verb: 'remove', kind, key: { namespace, name }, preconditions }],
  });
}

async function ownerLives(
  { cluster, caches }: ReconcilerDependencies,
  { metadata }: KubernetesObject,
): Promise<boolean> {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return true;
  const key = { namespace: metadata.namespace ?? '', name: owner.name };
  const lives = (seen: KubernetesObject | undefined) => seen?.metadata.uid === owner.uid;
  if (owner.kind === 'ProjectDomain') {
    return lives(caches.domains.get(key)) || lives(await cluster.get(ProjectDomainKind, key));
  }
  if (owner.kind !== 'Project') return true;
  return lives(caches.projects.get(key)) || lives(await cluster.get(ProjectKind, key));
}
