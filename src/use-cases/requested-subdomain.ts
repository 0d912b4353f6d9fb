import type { Project } from '../generated/project.ts';
import { claimKey } from '../rules/claim-name.ts';
import { isAvailable, subdomainRefusal } from '../rules/project-address.ts';
import { subdomainObjection } from '../rules/subdomain.ts';
import type { RequestContext } from './api-dependencies.ts';
import { Problem } from './problem.ts';

const wayOut = 'choose another subdomain, or null to be given one';

/** The spec with this subdomain; null and undefined: with none by name. */
export function withSubdomain(
  { subdomain: _, ...rest }: Project['spec'],
  subdomain: string | null | undefined,
): Project['spec'] {
  return subdomain === undefined || subdomain === null ? rest : { ...rest, subdomain };
}

/**
 * Throws for a subdomain that the operator would refuse: invalid-hostname, and, where the project asks for it by name, subdomain-reserved or
 * subdomain-taken. Whose it is is not told.
 */
export function checkSubdomain(
  { dependencies: { caches, settings }, caller }: Pick<RequestContext, 'dependencies' | 'caller'>,
  project: Pick<Project, 'metadata' | 'spec'>,
): void {
  const { metadata, spec } = project;
  const { subdomain } = spec;
  const objection = subdomainObjection(subdomain ?? metadata.name);
  if (objection !== null) throw new Problem('invalid-hostname', `${objection}; choose another subdomain, such as shop`);
  if (subdomain === undefined) return;
  const refusal = subdomainRefusal(project, subdomain, settings);
  const claims = {
    accountId: caller.account.spec.id,
    claimOf: (hostname: string) => caches.claims.get(claimKey(hostname)),
  };
  const hostname = `${subdomain}.${settings.platformDomain}`;
  if (refusal !== null) throw new Problem('subdomain-reserved', `${refusal.message}; ${wayOut}`);
  if (!isAvailable(hostname, project, claims))
    throw new Problem('subdomain-taken', `${hostname} belongs to another project; ${wayOut}`);
}
