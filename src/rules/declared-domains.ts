import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Account } from '../generated/account.ts';
import type { Rejection } from './acceptance.ts';
import { rejectionOf } from './acceptance.ts';
import { claimRelationOf } from './hostname-claims.ts';
import { no } from './conditions.ts';
import type { Limits } from './plan-limits.ts';
import type { CompetitionContext, Competitor } from './precedence.ts';
import { comparePrecedence, competitorOf, competitorsOf } from './precedence.ts';

type Configuration = Project['spec']['domains'];
type DomainSpec = ProjectDomain['spec'];

/** Project-level configuration as ProjectDomain specs; the primary first, so that a switch promotes before it demotes. */
export function declaredDomains(project: string, domains: Configuration): readonly DomainSpec[] {
  const { primary, redirects = [] } = domains ?? {};
  const first: readonly DomainSpec[] = primary === undefined ? [] : [{ project, hostname: primary, role: 'Primary' }];
  const others = redirects.flatMap(({ from, to = primary, status = 301 }): readonly DomainSpec[] =>
    to === undefined ? [] : [{ project, hostname: from, role: 'Redirect', redirect: { to, status } }],
  );
  return [...first, ...others];
}

/** True for a ProjectDomain that was made from the project's own configuration. */
export const isDeclaredBy = ({ metadata }: ProjectDomain, project: Project): boolean =>
  metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === project.metadata.uid) ?? false;

/** A project with the configuration of domains that is asked for, and the whole picture it is judged in. */
export interface DomainConfigCandidate {
  /** with what is asked for in spec.domains */
  readonly project: Project;
  readonly account: Account;
  readonly limits: Limits;
  readonly platformDomains: readonly string[];
  /** every ProjectDomain of the project */
  readonly domains: readonly ProjectDomain[];
  /** the account's ProjectDomains with a hostname, in all of its projects */
  readonly domainsWith: (hostname: string) => readonly ProjectDomain[];
  readonly claimOf: CompetitionContext['claimOf'];
  /** how many ProjectDomains the account has */
  readonly count: number;
}

type Entry = ReturnType<typeof declaredDomains>[number];

/**
 * What stands against a configuration; null when nothing does. Each entry is judged as the ProjectDomain that it will be,
 * among the others as they will be, by the same rules as everything else; only what is wrong with the configuration as
 * a text, and the account's room for its entries, are looked at here.
 */
export function domainConfigRejection(candidate: DomainConfigCandidate): Rejection | null {
  const { name } = candidate.project.metadata;
  const { domains } = candidate.project.spec;
  const entries = declaredDomains(name, domains);
  const unsound = lacksDestination(domains) ?? namedTwice(entries);
  if (unsound) return unsound;
  const planned = plannedDomains(candidate, entries);
  return entryRejection(candidate, planned) ?? accountIsFull(candidate, planned);
}

function lacksDestination(domains: Project['spec']['domains']): Rejection | null {
  const { primary, redirects = [] } = domains ?? {};
  const lost = redirects.find(({ to = primary }) => to === undefined);
  if (!lost) return null;
  return no('RedirectToForeign', `${lost.from} leads nowhere: give it \`to\`, or the project a primary`);
}

function namedTwice(entries: readonly Entry[]): Rejection | null {
  const seen = new Set<string>();
  const again = entries.find(({ hostname }) => seen.size === seen.add(hostname).size);
  return again ? no('HostnameInUse', `${again.hostname} is named twice; a hostname has one role`) : null;
}

/** An entry as the ProjectDomain that it will be. */
interface PlannedDomain {
  readonly domain: ProjectDomain;
  readonly competitor: Competitor;
  /** there is none yet that this project controls */
  readonly isNew: boolean;
}

/** What is made only now ranks behind everything that exists. */
const notYet = '9999-12-31T23:59:59Z';

function plannedDomains(candidate: DomainConfigCandidate, entries: readonly Entry[]): readonly PlannedDomain[] {
  const { project, account, domains, claimOf } = candidate;
  const { namespace = '' } = project.metadata;
  const declared = domains.filter((domain) => isDeclaredBy(domain, project) && !domain.metadata.deletionTimestamp);
  const existing = new Map(declared.map((domain) => [domain.spec.hostname, domain]));
  return entries.map((spec) => {
    const before = existing.get(spec.hostname);
    const metadata = before?.metadata ?? { name: spec.hostname, namespace, creationTimestamp: notYet };
    const domain = { apiVersion: project.apiVersion, kind: 'ProjectDomain', metadata, spec };
    const claim = before && claimOf(spec.hostname);
    return { domain, competitor: competitorOf(domain, claim, account.spec.id), isNew: before === undefined };
  });
}

/** The first objection of the rules to an entry. */
function entryRejection(candidate: DomainConfigCandidate, planned: readonly PlannedDomain[]): Rejection | null {
  const { project, account, domains, domainsWith, claimOf } = candidate;
  const accountId = account.spec.id;
  const standAlone = domains.filter((domain) => !isDeclaredBy(domain, project));
  const siblingsOf = siblingsThatMatter(
    [...competitorsOf(nobody, standAlone, { accountId, claimOf }), ...planned.map(({ competitor }) => competitor)],
    candidate.limits.customDomains.maxPerProject,
  );
  for (const { domain, competitor, isNew } of planned) {
    const { hostname } = domain.spec;
    const rejection = rejectionOf({
      ...candidate,
      domain,
      siblings: siblingsOf(domain, competitor),
      precedence: competitor.precedence,
      claimRelation: claimRelationOf(domain, accountId, claimOf(hostname)),
      sameHostname: competitorsOf(isNew ? nobody : domain, domainsWith(hostname), { accountId, claimOf }),
    });
    if (rejection) return rejection;
  }
  return null;
}

/**
 * Of everything that will be in the project, what can object to one entry: the first primary, where a redirect leads to,
 * and, where the cap is behind, as many as fill it. So few, for a project can have ten thousand domains.
 */
function siblingsThatMatter(all: readonly Competitor[], cap: number) {
  const ranked = all.toSorted((a, b) => comparePrecedence(a.precedence, b.precedence));
  const rankOf = new Map(ranked.map((competitor, rank) => [competitor, rank]));
  const firstWith = new Map(ranked.toReversed().map((competitor) => [competitor.hostname, competitor]));
  const primary = ranked.find(({ role }) => role === 'Primary');
  return ({ spec }: ProjectDomain, self: Competitor): readonly Competitor[] => {
    const filling = (rankOf.get(self) ?? 0) < cap ? [] : ranked.slice(0, cap);
    const others = [primary, spec.redirect && firstWith.get(spec.redirect.to)].filter((other) => other !== undefined);
    return [...new Set([...filling, ...others])].filter((sibling) => sibling !== self);
  };
}

const nobody = { metadata: { name: '' } };

/** Whether the account has room for what would be made, once what is no longer declared has gone. */
function accountIsFull(
  { project, domains, limits, count }: DomainConfigCandidate,
  planned: readonly PlannedDomain[],
): Rejection | null {
  const made = planned.filter(({ isNew }) => isNew).length;
  const declared = domains.filter((domain) => isDeclaredBy(domain, project)).length;
  const removed = declared - (planned.length - made);
  const { domains: maximum } = limits.maximum;
  if (made === 0 || count - removed + made <= maximum) return null;
  return no('DomainCapReached', `the account may have ${maximum} domains; remove some, or ask for a larger plan`);
}
