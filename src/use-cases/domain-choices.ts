import { isWildcard } from '../rules/wildcard.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { rejectionOf } from '../rules/acceptance.ts';
import { decidingSiblings } from '../rules/deciding-siblings.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import { isPrimary, isServed } from '../rules/domain-head.ts';
import { acceptanceCandidate, competitorsIn } from './acceptance-candidate.ts';
import type { DomainPath } from './find-in-account.ts';
import { domainOf, domainsIn, platformHostnameIn } from './find-in-account.ts';
import { useCase } from './use-case.ts';

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
export const mayTakeOver = (domain: DomainHead, primaries: readonly DomainHead[]): boolean =>
  isServed(domain) || !primaries.some(isServed);

/** The changes of role and destination that the acceptance rules would accept now. */
export const showChoices = useCase<DomainPath, DomainChoices>('domains:read', (context, path) => {
  const { dependencies, caller } = context;
  const domain = domainOf(context, path);
  const { hostname, project, role } = domain.spec;
  const others = domainsIn(context, path).filter(({ spec }) => spec.hostname !== hostname);
  const primaries = others.filter(isPrimary);
  const names = primaries.map(({ spec }) => spec.hostname);
  const leadTo = (targets: ReadonlySet<string>) => others.filter(({ spec }) => targets.has(spec.redirect?.to ?? ''));
  const cap = caller.limits.customDomains.maxPerProject;
  const all = competitorsIn(dependencies, caller.account.spec.id, domain);
  const [self] = all.filter(({ name }) => name === domain.metadata.name);
  const siblings = all.filter((one) => one === self || one.hostname !== hostname);
  const among = decidingSiblings(siblings, cap);
  const amongRedirects = () =>
    decidingSiblings(
      siblings.filter((one) => one === self || one.role !== 'Primary'),
      cap,
    );
  const accepts = (spec: Spec, deciding = among) =>
    rejectionOf(acceptanceCandidate(dependencies, caller, { ...domain, spec }, self && deciding(spec, self))) === null;
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
