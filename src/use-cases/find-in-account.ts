import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { namespaceOf } from './caller.ts';
import { indexKey } from './acceptance-candidate.ts';
import { Problem } from './problem.ts';
import type { RequestContext } from './api-dependencies.ts';

type Asking = Pick<RequestContext, 'dependencies' | 'caller'>;

/** Which project of the account is meant. */
export interface ProjectPath {
  readonly project: string;
}

/** Which domain of the account is meant. */
export interface DomainPath extends ProjectPath {
  /** in any case; a hostname is looked up in lower case */
  readonly hostname: string;
}

/** The namespace of the caller's account. Throws account-not-ready while there is none. */
export function namespaceFor({ dependencies, caller }: Asking): string {
  const namespace = namespaceOf(dependencies.caches, caller);
  if (namespace !== null) return namespace;
  throw new Problem('account-not-ready', `account ${caller.account.metadata.name} has no namespace yet`);
}

/** The project that is meant. Other accounts' projects do not exist for the caller: throws not-found. */
export function projectOf(asking: Asking, { project: name }: ProjectPath): Project {
  const found = asking.dependencies.caches.projects.get({ namespace: namespaceFor(asking), name });
  if (found && !found.metadata.deletionTimestamp) return found;
  throw new Problem('not-found', `there is no project ${name}`);
}

/**
 * The project's ProjectDomain for the hostname that is meant, whichever source declares it; a held one before others.
 * Throws not-found.
 */
export function domainOf(asking: Asking, path: DomainPath): ProjectDomain {
  const { metadata } = projectOf(asking, path);
  const hostname = path.hostname.toLowerCase();
  const found = domainIn(asking, metadata, hostname);
  if (found) return found;
  throw new Problem('not-found', `project ${metadata.name} has no domain ${hostname}`);
}

/** The project's living ProjectDomain with a hostname, if there is one. */
export function domainIn(
  { dependencies }: Pick<Asking, 'dependencies'>,
  { namespace = '', name }: Project['metadata'],
  hostname: string,
): ProjectDomain | undefined {
  const { domains, claims } = dependencies.caches;
  const holder = claims.get({ namespace: '', name: hostname })?.spec.holder;
  const all = domains
    .byIndex('place', indexKey(namespace, hostname))
    .filter(({ metadata, spec }) => spec.project === name && !metadata.deletionTimestamp);
  return all.find(({ metadata }) => metadata.name === holder?.name) ?? all[0];
}

/** The living ProjectDomains of a project; none of one that does not exist. */
export function domainsIn(asking: Asking, { project }: ProjectPath): readonly ProjectDomain[] {
  return asking.dependencies.caches.domains
    .byIndex('project', indexKey(namespaceFor(asking), project))
    .filter(({ metadata }) => !metadata.deletionTimestamp);
}
