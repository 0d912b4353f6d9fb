import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { objectKeyOf, indexKey } from '../kubernetes/object-keys.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import { namespaceOf } from './caller.ts';
import { competitionOf } from './acceptance-candidate.ts';
import { Problem } from './problem.ts';
import type { CallerContext } from './api-dependencies.ts';
import { claimKey } from '../rules/claim-name.ts';
import { canonicalHostname } from '../rules/hostname.ts';
import { heldPlatformHostname } from '../rules/platform-hostname.ts';

/** Identifies a project of the account. */
export interface ProjectPath {
  readonly project: string;
}

/** Identifies a domain of the account. */
export interface DomainPath extends ProjectPath {
  /** in any case, with or without a final dot, in A-labels or in Unicode */
  readonly hostname: string;
}

/** The namespace of the caller's account. Throws account-not-ready while there is none. */
export function namespaceFor({ dependencies, caller }: CallerContext): string {
  const namespace = namespaceOf(dependencies.caches, caller);
  if (namespace !== null) return namespace;
  throw new Problem('account-not-ready', `account ${caller.account.metadata.name} has no namespace yet`);
}

/** The project with this name. Throws not-found, also for other accounts' projects. */
export function projectOf(context: CallerContext, { project: name }: ProjectPath): Project {
  const found = context.dependencies.caches.projects.get({ namespace: namespaceFor(context), name });
  if (found && !found.metadata.deletionTimestamp) return found;
  throw new Problem('not-found', `we couldn't find a project named "${name}"`, {
    members: { missing: 'project', name },
  });
}

/** Where the platform serves the project; null while no claim holds that for it. Throws not-found. */
export function platformHostnameIn(context: CallerContext, path: ProjectPath): string | null {
  return heldPlatformHostname(projectOf(context, path), competitionOf(context).claimOf);
}

/**
 * The project's ProjectDomain for a hostname, however it is declared; the one that holds the claim takes precedence.
 * Throws not-found.
 */
export function domainOf(context: CallerContext, path: DomainPath): ProjectDomain {
  const { metadata } = projectOf(context, path);
  const hostname = canonicalHostname(path.hostname);
  const found = domainIn(context, metadata, hostname);
  if (found) return found;
  throw noSuchDomain(metadata.name, hostname);
}

export const noSuchDomain = (project: string, hostname: string): Problem =>
  new Problem('not-found', `project ${project} has no domain ${hostname}`, {
    members: { missing: 'domain', name: hostname },
  });

/** The project's ProjectDomain for a hostname that is not being deleted, if there is one. */
export function domainIn(
  { dependencies }: Pick<CallerContext, 'dependencies'>,
  { namespace = '', name }: Project['metadata'],
  hostname: string,
): ProjectDomain | undefined {
  const { domains, claims } = dependencies.caches;
  const holder = claims.get(claimKey(hostname))?.spec.holder;
  const all = domains
    .byIndex('place', indexKey(namespace, hostname))
    .filter(({ metadata, spec }) => spec.project === name && !metadata.deletionTimestamp);
  const found = all.find(({ metadata }) => metadata.name === holder?.name) ?? all[0];
  return found && domains.get(objectKeyOf(found));
}

/** The heads of a project's ProjectDomains that are not being deleted; empty if the project does not exist. */
export function domainsIn(context: CallerContext, { project }: ProjectPath): readonly DomainHead[] {
  return context.dependencies.caches.domains
    .byIndex('project', indexKey(namespaceFor(context), project))
    .filter(({ metadata }) => !metadata.deletionTimestamp);
}
