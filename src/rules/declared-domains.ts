import type { DomainHead } from './domain-head.ts';
import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Account } from '../generated/account.ts';
import type { Rejection } from './acceptance.ts';
import { rejectionOf } from './acceptance.ts';
import { claimRelationOf } from './hostname-claims.ts';
import { no } from './conditions.ts';
import type { Limits } from './plan-limits.ts';
import { heldPlatformHostname } from './platform-hostname.ts';
import type { CompetitionContext, Competitor } from './precedence.ts';
import {
  decidingSiblings,
  comparePrecedence,
  competitorOf,
  competitorsOf,
  notYet,
  precedenceOf,
} from './precedence.ts';
import { isLeaving } from './leaving.ts';

type Configuration = Project['spec']['domains'];
type DomainSpec = ProjectDomain['spec'];

/** A Project's domain config as ProjectDomain specs; the primary first, so that a switch promotes before it demotes. */
export function declaredDomains(project: string, domains: Configuration): readonly DomainSpec[] {
  const { primary, redirects = [] } = domains ?? {};
  const first: readonly DomainSpec[] = primary === undefined ? [] : [{ project, hostname: primary, role: 'Primary' }];
  const others = redirects.flatMap(({ from, to = primary, status = 301 }): readonly DomainSpec[] =>
    to === undefined ? [] : [{ project, hostname: from, role: 'Redirect', redirect: { to, status } }],
  );
  return [...first, ...others];
}

/** True for a ProjectDomain that was created from the project's domain config. */
export const isDeclaredBy = ({ metadata }: Pick<DomainHead, 'metadata'>, project: Project): boolean =>
  metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === project.metadata.uid) ?? false;

/** True for a ProjectDomain that another object controls: it is no stand-alone one. */
export const isControlled = ({ metadata }: Pick<DomainHead, 'metadata'>): boolean =>
  metadata.ownerReferences?.some(({ controller }) => controller) ?? false;

/** A project with the domain config that is requested, and everything needed to decide whether it is acceptable. */
export interface DomainConfigCandidate {
  /** with the requested domain config in spec.domains */
  readonly project: Project;
  readonly account: Account;
  readonly limits: Limits;
  readonly platformDomains: readonly string[];
  /** every ProjectDomain of the project */
  readonly domains: readonly DomainHead[];
  /** the account's ProjectDomains with a hostname, in all of its projects */
  readonly domainsWith: (hostname: string) => readonly DomainHead[];
  readonly claimOf: CompetitionContext['claimOf'];
  /** how many ProjectDomains the account has */
  readonly count: number;
}

type Entry = ReturnType<typeof declaredDomains>[number];

/**
 * Why a domain config is rejected; null when it is acceptable. Each entry is checked by the acceptance rules, as the
 * ProjectDomain that it will become and among the others as they will be. This function adds only the checks of the
 * config in itself and of the account's cap.
 */
export function domainConfigRejection(candidate: DomainConfigCandidate): Rejection | null {
  const { name } = candidate.project.metadata;
  const { domains } = candidate.project.spec;
  const entries = declaredDomains(name, domains);
  const invalid = lacksDestination(domains) ?? namedTwice(entries);
  if (invalid) return invalid;
  const future = futureDomains(candidate, entries);
  return entryRejection(candidate, future) ?? accountIsFull(candidate, future);
}

function lacksDestination(domains: Project['spec']['domains']): Rejection | null {
  const { primary, redirects = [] } = domains ?? {};
  const incomplete = redirects.find(({ to = primary }) => to === undefined);
  if (!incomplete) return null;
  return no('RedirectToForeign', `${incomplete.from} has no destination: set its \`to\`, or the project's \`primary\``);
}

function namedTwice(entries: readonly Entry[]): Rejection | null {
  const seen = new Set<string>();
  const again = entries.find(({ hostname }) => seen.size === seen.add(hostname).size);
  return again ? no('HostnameInUse', `${again.hostname} is listed twice; list it once`) : null;
}

/** An entry as the ProjectDomain that it will become. */
interface FutureDomain {
  readonly domain: ProjectDomain;
  readonly competitor: Competitor;
  /** this project has no ProjectDomain that becomes it */
  readonly isNew: boolean;
}

/** The project's ProjectDomains that stand for entries, or will: those that it controls and, where it adopts, those that were made separately. */
function objectsOfEntries(candidate: DomainConfigCandidate): (hostname: string) => DomainHead | undefined {
  const { project, domains, account, claimOf } = candidate;
  const adopts = project.spec.domains?.adopt === true;
  const found = new Map<string, DomainHead>();
  for (const domain of domains) {
    if (isLeaving(domain) || !(adopts || isDeclaredBy(domain, project))) continue;
    const { hostname } = domain.spec;
    const other = found.get(hostname);
    if (other === undefined || isBetter(domain, other)) found.set(hostname, domain);
  }
  return (hostname) => found.get(hostname);

  function isBetter(one: DomainHead, other: DomainHead): boolean {
    const [isOwn, isOthers] = [isDeclaredBy(one, project), isDeclaredBy(other, project)];
    if (isOwn !== isOthers) return isOwn;
    const rank = (domain: DomainHead) => precedenceOf(domain, claimOf(domain.spec.hostname), account.spec.id);
    return comparePrecedence(rank(one), rank(other)) < 0;
  }
}

function futureDomains(candidate: DomainConfigCandidate, entries: readonly Entry[]): readonly FutureDomain[] {
  const { project, account, claimOf } = candidate;
  const { namespace = '' } = project.metadata;
  const objectFor = objectsOfEntries(candidate);
  return entries.map((spec) => {
    const before = objectFor(spec.hostname);
    const metadata = before?.metadata ?? { name: spec.hostname, namespace, creationTimestamp: notYet };
    const status = before?.status && { status: before.status };
    const domain: ProjectDomain = { apiVersion: project.apiVersion, kind: 'ProjectDomain', metadata, spec, ...status };
    const claim = before && claimOf(spec.hostname);
    return { domain, competitor: competitorOf(domain, claim, account.spec.id), isNew: before === undefined };
  });
}

/** The first rejection of an entry by the acceptance rules. */
function entryRejection(candidate: DomainConfigCandidate, future: readonly FutureDomain[]): Rejection | null {
  const { project, account, domains, domainsWith, claimOf } = candidate;
  const accountId = account.spec.id;
  const names = new Set(future.map(({ domain }) => domain.metadata.name));
  const standAlone = domains.filter((domain) => !isDeclaredBy(domain, project) && !names.has(domain.metadata.name));
  const siblingsOf = decidingSiblings(
    [...competitorsOf(null, standAlone, { accountId, claimOf }), ...future.map(({ competitor }) => competitor)],
    candidate.limits.customDomains.maxPerProject,
  );
  const platformHostname = heldPlatformHostname(project, claimOf);
  for (const { domain, competitor, isNew } of future) {
    const { hostname } = domain.spec;
    const rejection = rejectionOf({
      ...candidate,
      platformHostname,
      domain,
      siblings: siblingsOf(domain.spec, competitor),
      precedence: competitor.precedence,
      claimRelation: claimRelationOf(domain, accountId, claimOf(hostname)),
      sameHostname: competitorsOf(isNew ? null : domain, domainsWith(hostname), { accountId, claimOf }),
    });
    if (rejection) return rejection;
  }
  return null;
}

/** Whether the account's cap leaves room for new entries, once those that are no longer declared are removed. */
function accountIsFull(
  { project, domains, limits, count }: DomainConfigCandidate,
  future: readonly FutureDomain[],
): Rejection | null {
  const created = future.filter(({ isNew }) => isNew).length;
  const names = new Set(future.map(({ domain }) => domain.metadata.name));
  const removed = domains.filter((one) => isDeclaredBy(one, project) && !names.has(one.metadata.name)).length;
  const { domains: maximum } = limits.maximum;
  if (created === 0 || count - removed + created <= maximum) return null;
  return no('DomainCapReached', `the account may have ${maximum} domains; remove some, or ask for a larger plan`);
}
