import { wwwCounterpart } from '../rules/hostname.ts';
import { previewDomain } from './add-domain.ts';
import type { ProjectPath } from './find-in-account.ts';
import { domainsIn, namespaceFor, platformHostnameIn, projectOf } from './find-in-account.ts';
import { Problem } from './problem.ts';
import type { RequestContext } from './api-dependencies.ts';
import { useCase } from './use-case.ts';

/** Whether a project can get another domain, whatever its hostname is. */
export type AddTerms =
  /** `used` of `maximum` domains of the project; `room` for more, by the account's maximum too */
  | { readonly kind: 'open'; readonly used: number; readonly maximum: number; readonly room: number }
  /** the key lacks the scope */
  | { readonly kind: 'read-only' }
  /** the plan has no custom domains */
  | { readonly kind: 'plan'; readonly plan: string }
  | { readonly kind: 'not-deployed' }
  /** the maximum of the project, or of the account over all of its projects, is reached */
  | { readonly kind: 'full'; readonly of: 'project' | 'account'; readonly maximum: number };

/** Whether Add could succeed in a project, by the rules that it asks first. */
export const addTerms = useCase<ProjectPath, AddTerms>('domains:read', termsOf);

function termsOf(context: RequestContext, path: ProjectPath): AddTerms {
  const { caller, dependencies } = context;
  const { customDomains, maximum } = caller.limits;
  if (!caller.apiKey.spec.scopes.includes('domains:write')) return { kind: 'read-only' };
  if (!customDomains.enabled) return { kind: 'plan', plan: caller.account.spec.plan };
  if (!projectOf(context, path).status?.deployedAt) return { kind: 'not-deployed' };
  const { maxPerProject } = customDomains;
  const used = domainsIn(context, path).length;
  if (used >= maxPerProject) return { kind: 'full', of: 'project', maximum: maxPerProject };
  const ofAccount = dependencies.caches.domains.countByIndex('namespace', namespaceFor(context));
  if (ofAccount >= maximum.domains) return { kind: 'full', of: 'account', maximum: maximum.domains };
  const room = Math.min(maxPerProject - used, maximum.domains - ofAccount);
  return { kind: 'open', used, maximum: maxPerProject, room };
}

interface CounterpartOf extends ProjectPath {
  readonly hostname: string;
}

/**
 * The other one of `www` and the bare domain, if it can be added beside the hostname, as a redirect to it: it is free,
 * and there is room for both. Null otherwise.
 */
export const freeCounterpart = useCase<CounterpartOf, string | null>(
  'domains:write',
  (context, { hostname, project }) => {
    const other = wwwCounterpart(hostname);
    const terms = termsOf(context, { project });
    const to = platformHostnameIn(context, { project });
    if (other === null || terms.kind !== 'open' || terms.room < 2 || to === null) return null;
    // Asked with a destination that exists: that the hostname itself does not yet is no obstacle.
    const domain = { hostname: other, role: 'redirect', redirect: { to, status: 301 } } as const;
    try {
      return previewDomain(context, { project, domain }).kind === 'preview' ? other : null;
    } catch (error) {
      if (error instanceof Problem) return null;
      throw error;
    }
  },
);
