import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { objectKeyOf } from '../kubernetes/object-keys.ts';
import { isDeclaredBy } from '../rules/declared-domains.ts';
import { namesHolder } from '../rules/precedence.ts';
import { until } from './cache-wait.ts';
import type { DomainView } from './domain-view.ts';
import { domainView } from './describe-domain.ts';
import type { DeclaredDomain } from './domain-declaration.ts';
import { removeDeclared, removeStandAlone, seenDomain } from './domain-declaration.ts';
import type { DomainPath } from './find-in-account.ts';
import type { RequestContext } from './api-dependencies.ts';
import { useCase } from './use-case.ts';
import { claimKey } from '../rules/claim-name.ts';
import type { DomainHead } from '../rules/domain-head.ts';

/** After this long the response says that removal is still in progress. */
const removalShownWithinMs = 10_000;

interface RemoveDomain extends DomainPath {
  /** how long to wait until its route is gone; ten seconds when absent */
  readonly waitMs?: number;
}

export type RemoveDomainResult =
  /** its route is gone */
  | { readonly kind: 'removed' }
  /** its route still existed when the wait ended; removal continues */
  | { readonly kind: 'removing'; readonly domain: DomainView };

/** Removes a hostname wherever it is declared, and waits for a limited time until its route is gone. */
export const removeDomain = useCase<RemoveDomain, RemoveDomainResult>('domains:write', async (context, path) => {
  const { project, domain } = await seenDomain(context, path);
  await beginRemoval(context, { project, domain });
  if (await isGone(context, domain, path.waitMs ?? removalShownWithinMs)) return { kind: 'removed' };
  return { kind: 'removing', domain: domainView(context, domain) };
});

/** Removes a domain wherever it is declared; its route goes after that. */
export async function beginRemoval(
  context: RequestContext,
  { project, domain }: Pick<DeclaredDomain, 'project' | 'domain'>,
): Promise<void> {
  const remove = isDeclaredBy(domain, project) ? removeDeclared : removeStandAlone;
  await remove({ writing: context, project, domain });
}

/** The operator releases the claim once the route is gone. */
async function isGone(
  { dependencies, signal }: RequestContext,
  domain: ProjectDomain,
  withinMs: number,
): Promise<boolean> {
  const { caches, now } = dependencies;
  const began = now();
  const patience = () => ({ ms: Math.max(0, withinMs - (now() - began)), signal });
  const isAnother = (observed: ProjectDomain | undefined) => observed?.metadata.uid !== domain.metadata.uid;
  const isReleased = (claim: HostnameClaim | undefined) =>
    !claim || claim.spec.phase === 'Tombstone' || !namesHolder(claim, domain);
  return (
    (await until(caches.domains, objectKeyOf(domain), isAnother, patience())) &&
    (await until(caches.claims, claimKey(domain.spec.hostname), isReleased, patience()))
  );
}

/** Redirects whose destination is removed, and that stay themselves. */
export interface Stranded {
  readonly count: number;
  /** the first of them by name */
  readonly named: readonly string[];
}

/** A page names so many, and counts the others: a destination may have thousands. */
const namedAtMost = 5;

const none: Stranded = Object.freeze({ count: 0, named: [] });

/** By each hostname that is removed, the redirects of its project that lose it; `all` are the project's domains. */
export function strandedBy(
  all: readonly Pick<DomainHead, 'spec'>[],
  removed: readonly string[],
): (hostname: string) => Stranded {
  const going = new Set(removed);
  const lost = new Map<string, string[]>();
  for (const { spec } of all) {
    const to = spec.redirect?.to;
    if (to === undefined || !going.has(to) || going.has(spec.hostname)) continue;
    const known = lost.get(to);
    if (known) known.push(spec.hostname);
    else lost.set(to, [spec.hostname]);
  }
  return (hostname) => {
    const hostnames = lost.get(hostname);
    return hostnames ? { count: hostnames.length, named: hostnames.toSorted().slice(0, namedAtMost) } : none;
  };
}
