import type { ProjectDomain } from '../generated/project-domain.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import { isPrimary, isServed } from '../rules/domain-head.ts';
import { isDeclaredBy } from '../rules/declared-domains.ts';
import type { RequestContext } from './api-dependencies.ts';
import { changeDomain } from './change-domain.ts';
import type { DomainView } from './domain-view.ts';
import { domainView } from './describe-domain.ts';
import { declarePrimary, seenDomain } from './domain-declaration.ts';
import type { DomainPath } from './find-in-account.ts';
import { domainOf, domainsIn, projectOf, platformHostnameIn } from './find-in-account.ts';
import { Problem } from './problem.ts';
import { useCase } from './use-case.ts';
import { isWildcard } from '../rules/wildcard.ts';
import { rejectionOf } from '../rules/acceptance.ts';
import { decidingSiblings } from '../rules/precedence.ts';
import { acceptanceCandidate, competitorsIn } from './acceptance-candidate.ts';

/** A swap of places, which its account pays for. */
export interface MakePrimary extends DomainPath {
  /** called with how many domains are changed beside the first, before anything is written; rejects with the problem of a refusal */
  readonly spend: (units: number) => Promise<void>;
}

/**
 * Makes a domain the primary of its project. A primary that the project has already redirects to it from then on, and so
 * does every redirect that led there. Where the project declares both, that is one change; else each step is one that the
 * acceptance rules accept, and if one fails, the same call again completes the rest. It goes on when the client leaves,
 * as a half of it would be a loop. Whether the domain is still of the version that its client has seen is asked before the first change. Each domain that is changed counts as a request. Rejects as changeDomain does, and with
 * conflict while the domain may not take over.
 */
export const makePrimary = useCase<MakePrimary, DomainView>('domains:write', async (asked, { spend, ...path }) => {
  const { ifMatch: _, ...rest } = asked;
  const context = { ...rest, signal: asked.dependencies.stopping };
  const { project, domain } = await seenDomain(asked, path);
  const chosen = domain.spec;
  const others = domainsIn(context, path).filter(({ spec }) => spec.hostname !== chosen.hostname);
  const present = others.filter(isPrimary);
  rejectDarkness(domain, present);
  const primaries = present.map(hostnameOf);
  const leadHere = others.filter(({ spec }) => spec.redirect?.to === chosen.hostname).map(hostnameOf);
  const former = new Set([...primaries, ...leadHere]);
  const followers = others.filter(({ spec }) => former.has(spec.redirect?.to ?? ''));
  const lead = redirector(context, path.project);
  const isOneChange = present.length > 0 && [domain, ...present].every((one) => isDeclaredBy(one, project));
  const left = followers.filter((follower) => !isOneChange || !isDeclaredBy(follower, project));
  const more = left.length + (isOneChange ? 0 : present.length);
  if (more > 0) await spend(more);
  if (isOneChange) await declarePrimary({ writing: { ...asked, signal: context.signal }, project, domain });
  else await changePlaces(context, { path, domain, primaries, followers });
  const changed = isOneChange
    ? domainView(context, domainOf(context, path))
    : await changeDomain(context, { ...path, change: { role: 'primary' } });
  for (const { spec } of left) await lead(spec, chosen.hostname);
  return changed;
});

/** Rejects what would send the visitors of a primary that is served to a domain that is not. */
function rejectDarkness(domain: ProjectDomain, primaries: readonly DomainHead[]): void {
  if (mayTakeOver(domain, primaries)) return;
  throw new Problem(
    'conflict',
    `${domain.spec.hostname} is not live yet, and the current primary is; wait until it is live`,
  );
}

interface Swap {
  readonly path: DomainPath;
  readonly domain: ProjectDomain;
  readonly primaries: readonly string[];
  readonly followers: readonly DomainHead[];
}

/** Turns the present primaries into redirects to the domain, which is to become the primary next. */
async function changePlaces(context: RequestContext, { path, domain, primaries, followers }: Swap): Promise<void> {
  const lead = redirector(context, path.project);
  await nameDestinations(context, path, [...followers, domain]);
  for (const primary of primaries) {
    // A primary may only lead to a redirect that leads back to it.
    if (domain.spec.redirect?.to !== primary) await lead(domain.spec, primary);
    await lead({ hostname: primary }, domain.spec.hostname);
  }
}

const hostnameOf = ({ spec }: DomainHead): string => spec.hostname;

type Redirecting = Pick<ProjectDomain['spec'], 'hostname' | 'redirect'>;

/** Turns a domain into a redirect, or gives a redirect another destination. */
const redirector =
  (context: RequestContext, project: string) =>
  ({ hostname, redirect }: Redirecting, to: string): Promise<DomainView> =>
    changeDomain(context, {
      project,
      hostname,
      change: { role: 'redirect', redirect: { to, status: redirect?.status ?? 301 } },
    });

/** A redirect that is declared without a destination needs a primary in the same configuration, which is about to go. */
async function nameDestinations(
  context: RequestContext,
  path: DomainPath,
  redirects: readonly DomainHead[],
): Promise<void> {
  const declared = projectOf(context, path).spec.domains?.redirects ?? [];
  const implied = declared.filter(({ to }) => to === undefined).map(({ from }) => from);
  const lead = redirector(context, path.project);
  for (const { spec } of redirects) if (implied.includes(spec.hostname)) await lead(spec, spec.redirect?.to ?? '');
}

/** What role and destination a domain can have instead of those it has. */
export interface DomainChoices {
  /** the project's other primaries, which become redirects if this domain becomes the primary */
  readonly primaries: readonly string[];
  /** redirects that lead to one of them, and will lead here then */
  readonly primaryFollowers: readonly string[];
  readonly canBePrimary: boolean;
  /** hostnames that it may redirect to; empty where a redirect is no choice */
  readonly destinations: readonly string[];
}

type Spec = ProjectDomain['spec'];

/** A project should have one primary; if more are declared by mistake, at most this many are offered. */
const maxOffered = 20;

/** Visitors of a primary that is served are not sent to a domain that is not. */
const mayTakeOver = (domain: DomainHead, primaries: readonly DomainHead[]): boolean =>
  isServed(domain) || !primaries.some(isServed);

/** The changes of role and destination that the acceptance rules would accept now. */
export const showChoices = useCase<DomainPath, DomainChoices>('domains:read', (context, path) => {
  const domain = domainOf(context, path);
  const { hostname, project, role } = domain.spec;
  const others = domainsIn(context, path).filter(({ spec }) => spec.hostname !== hostname);
  const primaries = others.filter(isPrimary);
  const names = primaries.map(({ spec }) => spec.hostname);
  const leadTo = (targets: ReadonlySet<string>) => others.filter(({ spec }) => targets.has(spec.redirect?.to ?? ''));
  const cap = context.caller.limits.customDomains.maxPerProject;
  const all = competitorsIn(context, domain);
  const [self] = all.filter(({ name }) => name === domain.metadata.name);
  const siblings = all.filter((one) => one === self || one.hostname !== hostname);
  const among = decidingSiblings(siblings, cap);
  const amongRedirects = () =>
    decidingSiblings(
      siblings.filter((one) => one === self || one.role !== 'Primary'),
      cap,
    );
  const accepts = (spec: Spec, deciding = among) =>
    rejectionOf(acceptanceCandidate(context, { ...domain, spec }, self && deciding(spec, self))) === null;
  const isOnlyPrimary = role !== 'Redirect' && primaries.length === 0;
  const platformHostname = platformHostnameIn(context, path);
  const offered = [...names.slice(0, maxOffered), platformHostname ?? ''];
  // Redirects never lead to redirects.
  const leadsOn = role !== 'Redirect' && leadTo(new Set([hostname])).length > 0;
  return {
    primaries: names,
    primaryFollowers: leadTo(new Set(names)).map(({ spec }) => spec.hostname),
    canBePrimary:
      !isOnlyPrimary &&
      !isWildcard(hostname) &&
      mayTakeOver(domain, primaries) &&
      accepts({ project, hostname, role: 'Primary' }, amongRedirects()),
    destinations: leadsOn
      ? []
      : offered.filter((to) => to !== '' && accepts({ project, hostname, role: 'Redirect', redirect: { to } })),
  };
});
