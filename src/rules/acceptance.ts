import type { Account } from '../generated/account.ts';
import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { acceptedReasons, hostnameReasons } from './codes/accepted-reasons.ts';
import type { Finding } from './conditions.ts';
import { findingsOf } from './conditions.ts';
import { isWithin, parseHostname } from './hostname.ts';
import { isLeaving } from './leaving.ts';
import type { Limits } from './plan-limits.ts';
import type { Precedence, Competitor } from './precedence.ts';
import { comparePrecedence, comparePrimaries } from './precedence.ts';
import type { AcceptedReason } from './reasons.ts';
import type { ClaimRelation } from './hostname-claims.ts';
import { parseHostnameOrWildcard } from './wildcard-hostname.ts';
import { isPrimary, servesAsPrimary } from './domain-head.ts';
import { baseOf, isWildcard } from './wildcard.ts';

const { no, unknown, yes } = findingsOf({ ...acceptedReasons, ...hostnameReasons });

/** A ProjectDomain, existing or only requested, with everything needed to decide whether it may be served. */
export interface AcceptanceCandidate {
  readonly domain: ProjectDomain;
  /** hostnames can be prepared before they are switched; where that is not known they are taken to be */
  readonly canPrepare?: boolean;
  /** wildcards can be served; where that is not known they are taken not to be */
  readonly canWildcard?: boolean;
  /** the platform's own domains; no customer may use a hostname below them */
  readonly platformDomains: readonly string[];
  readonly account: Account | undefined;
  /** null when the account's plan does not exist */
  readonly limits: Limits | null;
  readonly project: Project | undefined;
  /** the project's, while its claim is held (platform-hostname.ts) */
  readonly platformHostname: string | null;
  readonly claimRelation: ClaimRelation;
  readonly precedence: Precedence;
  /** other domains of the same project */
  readonly siblings: readonly Competitor[];
  /** other objects of the same account with the same hostname */
  readonly sameHostname: readonly Competitor[];
}

/** Why a domain may not be served. */
export type Rejection = Finding<Exclude<AcceptedReason, 'Accepted'>>;

type Rule = (candidate: AcceptanceCandidate) => Rejection | null;

/**
 * Rules that decide whether a domain may be served at all; the first that rejects it decides. A parent object that is
 * merely absent (a partial restore) makes the finding Unknown: nothing is created, nothing is taken away.
 */
const rules: readonly Rule[] = [
  hostnameIsUsable,
  accountExists,
  planExists,
  projectExists,
  planAllowsDomains,
  hostnameIsNotTakenByASibling,
  wildcardIsPrimary,
  preparationIsOffered,
  projectWasDeployed,
  redirectGoesSomewhere,
  primaryIsTheOnlyOne,
  capIsNotReached,
];

/** The rejection by the first rule that has one, which REST returns at once; null when the domain may be served. */
export function rejectionOf(candidate: AcceptanceCandidate): Rejection | null {
  for (const rule of rules) {
    const rejection = rule(candidate);
    if (rejection) return rejection;
  }
  return null;
}

/** The same as the finding for the condition Accepted. */
export const acceptanceFinding = (candidate: AcceptanceCandidate): Finding<AcceptedReason> =>
  rejectionOf(candidate) ?? yes('Accepted', 'the domain may be served');

function hostnameIsUsable({ domain, platformDomains, canWildcard }: AcceptanceCandidate): Rejection | null {
  return hostnameFinding(domain.spec.hostname, platformDomains, { canWildcard });
}

/**
 * Rejects what nobody may use: a text that is not a hostname, or a wildcard where there are any; a public suffix; a hostname of the platform,
 * or a wildcard above one.
 */
export function hostnameFinding(
  hostname: string,
  platformDomains: readonly string[],
  { canWildcard = false }: { readonly canWildcard?: boolean | undefined } = {},
): Rejection | null {
  const parsed = (canWildcard ? parseHostnameOrWildcard : parseHostname)(hostname);
  if (!parsed.ok) return no(parsed.code, parsed.message);
  const base = baseOf(hostname);
  const own = platformDomains.find((zone) => isWithin(base, zone) || (isWildcard(hostname) && isWithin(zone, base)));
  if (own === undefined) return null;
  return no('PlatformHostname', `${hostname} is under the platform's own domain ${own}; use a domain you own`);
}

function accountExists({ account, domain }: AcceptanceCandidate): Rejection | null {
  if (account?.spec.id && !isLeaving(account)) return null;
  const namespace = domain.metadata.namespace;
  return unknown(
    'AccountNotFound',
    account
      ? `account ${account.metadata.name} is being ${isLeaving(account) ? 'deleted' : 'set up'}`
      : `namespace ${namespace} belongs to no Account; an administrator must label it projectdomain.io/account and create the Account`,
  );
}

function planExists({ account, limits }: AcceptanceCandidate): Rejection | null {
  if (limits) return null;
  return unknown('PlanNotFound', { plan: account?.spec.plan });
}

function projectExists({ project, domain }: AcceptanceCandidate): Rejection | null {
  if (project && !isLeaving(project)) return null;
  const { namespace } = domain.metadata;
  if (project) return unknown('ProjectNotFound', `project ${project.metadata.name} is being deleted`);
  const message = `there is no Project ${domain.spec.project} in namespace ${namespace}; create it, or add the domain to another project`;
  return unknown('ProjectNotFound', message);
}

function planAllowsDomains({ limits, account }: AcceptanceCandidate): Rejection | null {
  if (limits?.customDomains.enabled) return null;
  return no('PlanUpgradeRequired', { plan: account?.spec.plan });
}

function hostnameIsNotTakenByASibling({
  domain,
  sameHostname,
  precedence,
  claimRelation,
}: AcceptanceCandidate): Rejection | null {
  const first = firstOf(sameHostname);
  const behind = first !== undefined && comparePrecedence(first.precedence, precedence) < 0;
  if (!behind && claimRelation.kind !== 'Sibling') return null;
  const where = first === undefined ? 'another object' : `${first.namespace}/${first.name}`;
  return no('HostnameInUse', `${where} of the same account already has ${domain.spec.hostname}; remove one of the two`);
}

function preparationIsOffered({ domain, canPrepare = true }: AcceptanceCandidate): Rejection | null {
  if (canPrepare || domain.spec.prepare !== true) return null;
  return no('PrepareUnavailable');
}

/** A redirect's certificate and route are those of one hostname each. */
function wildcardIsPrimary({ domain: { spec } }: AcceptanceCandidate): Rejection | null {
  if (!isWildcard(spec.hostname) || spec.role !== 'Redirect') return null;
  return no('WildcardHostname', 'a wildcard cannot be a redirect; add each hostname that redirects separately');
}

function projectWasDeployed({ project, claimRelation }: AcceptanceCandidate): Rejection | null {
  if (project?.status?.deployedAt || claimRelation.kind === 'Held') return null;
  return no('NotDeployed', { project: project?.metadata.name, service: project?.spec.service.name });
}

function redirectGoesSomewhere(candidate: AcceptanceCandidate): Rejection | null {
  const { role, redirect, hostname, project } = candidate.domain.spec;
  if (role !== 'Redirect' || !redirect) return null;
  const { to } = redirect;
  if (to === hostname) return no('RedirectToSelf', { hostname });
  if (to === candidate.platformHostname) return null;
  const named = candidate.siblings.filter((sibling) => sibling.hostname === to && !isWildcard(to));
  const destination = firstOf(named);
  if (!destination) return no('RedirectToForeign', `${to} is not a hostname of project ${project}; add it there first`);
  if (destination.role === 'Primary') return null;
  return no('RedirectToRedirect', { to });
}

/** Wildcards are served beside it, as many as there are. */
function primaryIsTheOnlyOne({ domain, siblings, precedence }: AcceptanceCandidate): Rejection | null {
  if (!isPrimary(domain)) return null;
  const self = { servesAsPrimary: servesAsPrimary(domain), precedence };
  const [before] = siblings
    .filter(({ role, hostname }) => role === 'Primary' && !isWildcard(hostname))
    .filter((sibling) => comparePrimaries(sibling, self) < 0)
    .toSorted(comparePrimaries);
  if (!before) return null;
  return no('PrimaryExists', { primary: before.hostname });
}

function capIsNotReached({ siblings, precedence, limits }: AcceptanceCandidate): Rejection | null {
  const cap = limits?.customDomains.maxPerProject ?? 0;
  if (ahead(siblings, precedence).length < cap) return null;
  return no('DomainCapReached', `the plan allows ${cap} domains per project; remove another one or upgrade`);
}

/** The one that takes precedence over all others. */
const firstOf = (competitors: readonly Competitor[]): Competitor | undefined =>
  competitors.toSorted((a, b) => comparePrecedence(a.precedence, b.precedence))[0];

const ahead = (competitors: readonly Competitor[], rank: Precedence): readonly Competitor[] =>
  competitors.filter((competitor) => comparePrecedence(competitor.precedence, rank) < 0);
