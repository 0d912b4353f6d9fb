import type { Project } from '../generated/project.ts';

type Metadata = Project['metadata'];

/** Of any object, what tells whether somebody has deleted it. */
export interface Deletable {
  readonly metadata: Pick<Metadata, 'name'> & Partial<Pick<Metadata, 'uid' | 'deletionTimestamp' | 'finalizers'>>;
}

/** What hangs on an object that is its owner. */
interface Dependent {
  readonly metadata: Pick<Metadata, 'ownerReferences'>;
}

/** Kubernetes' own finalizer while it takes an owner from what is to stay (`kubectl delete --cascade=orphan`). */
const orphaning = 'orphan';

/** Somebody has deleted it, whatever still holds it: a finalizer of anybody's keeps the object, and nothing of what it stood for. */
export const isLeaving = ({ metadata }: Deletable): boolean => metadata.deletionTimestamp !== undefined;

/** It is leaving, and what it owns is not to stay. */
export const leavesWithDependents = (owner: Deletable): boolean =>
  isLeaving(owner) && !(owner.metadata.finalizers ?? []).includes(orphaning);

/** It takes this along, as Kubernetes' garbage collector will; what was orphaned has no such owner any more. */
const takesAlong = (owner: Deletable | undefined, { metadata }: Dependent): boolean =>
  owner !== undefined &&
  leavesWithDependents(owner) &&
  (metadata.ownerReferences ?? []).some(({ uid }) => uid === owner.metadata.uid);

/** What a domain or a project stands on. */
export interface Foundations {
  readonly namespace: Deletable | undefined;
  readonly account: Deletable | undefined;
  readonly claim: Deletable | undefined;
}

/**
 * Why a hostname of this project must no longer be served although the object that has it is not deleted: what it stands on is. In the words of its
 * conditions; null where nothing is. Pure.
 */
export function projectLeavesWith(project: Dependent, { namespace, account, claim }: Foundations): string | null {
  if (namespace && isLeaving(namespace)) return beingDeleted('namespace', namespace);
  if (claim && isLeaving(claim)) return beingDeleted('HostnameClaim', claim);
  return account && takesAlong(account, project) ? beingDeleted('account', account) : null;
}

/** The same of a domain, which stands on its project too. */
export function domainLeavesWith(
  domain: Dependent,
  project: (Deletable & Dependent) | undefined,
  foundations: Foundations,
): string | null {
  if (project && takesAlong(project, domain)) return beingDeleted('project', project);
  return projectLeavesWith(project ?? { metadata: {} }, foundations);
}

const beingDeleted = (what: string, { metadata }: Deletable): string => `${what} ${metadata.name} is being deleted`;
