import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { namespaceOf } from './caller.ts';
import { indexKey } from './acceptance-candidate.ts';
import { Problem } from './problem.ts';
import type { RequestContext } from './request-context.ts';

type Asking = Pick<RequestContext, 'dependencies' | 'caller' | 'params'>;

/** The namespace of the caller's account. Throws account-not-ready while there is none. */
export function namespaceFor({ dependencies, caller }: Asking): string {
  const namespace = namespaceOf(dependencies.caches, caller);
  if (namespace !== null) return namespace;
  throw new Problem('account-not-ready', `account ${caller.account.metadata.name} has no namespace yet`);
}

/** The project of the path. Other accounts' projects do not exist for the caller. */
export function projectOf(asking: Asking): Project {
  const { project: name = '' } = asking.params;
  const found = asking.dependencies.caches.projects.get({ namespace: namespaceFor(asking), name });
  if (found && !found.metadata.deletionTimestamp) return found;
  throw new Problem('not-found', `there is no project ${name}`);
}

/** The project's ProjectDomain for the hostname of the path, whichever source declares it; a held one before others. */
export function domainOf(asking: Asking): ProjectDomain {
  const { metadata } = projectOf(asking);
  const hostname = (asking.params.hostname ?? '').toLowerCase();
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
