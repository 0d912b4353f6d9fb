import type { ProjectDomain } from '../generated/project-domain.ts';
import { indexKey } from '../kubernetes/object-keys.ts';
import { ProjectDomainKind } from '../resources/kinds.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import { findCondition } from '../rules/conditions.ts';
import type { AcceptanceCandidate } from '../rules/acceptance.ts';
import { hostnameFinding } from '../rules/acceptance.ts';
import type { CompetitionContext, Competitor } from '../rules/precedence.ts';
import { comparePrecedence, competitorsOf, notYet, precedenceOf } from '../rules/precedence.ts';
import type { DesiredRecord } from '../rules/desired-records.ts';
import type { DelegatingWildcard } from '../rules/challenge-delegation.ts';
import { delegationOf } from '../rules/challenge-delegation.ts';
import { wildcardOf } from '../rules/wildcard.ts';
import { needsTxt, desiredRecords, sharesProof } from '../rules/desired-records.ts';
import type { ClaimRelation } from '../rules/hostname-claims.ts';
import { claimRelationOf } from '../rules/hostname-claims.ts';
import { heldPlatformHostname } from '../rules/platform-hostname.ts';
import type { CallerContext } from './api-dependencies.ts';
import { claimKey, claimName } from '../rules/claim-name.ts';

/** A ProjectDomain as REST creates it: stand-alone and named after its hostname (claimName). */
export function draftDomain(namespace: string, spec: ProjectDomain['spec']): ProjectDomain {
  const { apiVersion, kind } = ProjectDomainKind;
  return { apiVersion, kind, metadata: { name: claimName(spec.hostname), namespace }, spec };
}

/** What the caller's domains and projects are ranked by, and how a hostname's claim is found. */
export const competitionOf = ({ dependencies: { caches }, caller }: CallerContext): CompetitionContext => ({
  accountId: caller.account.spec.id,
  claimOf: (hostname) => caches.claims.get(claimKey(hostname)),
});

/** How a ProjectDomain of the caller's account relates to the hostname's claim. */
export function claimRelationIn(context: CallerContext, domain: ProjectDomain): ClaimRelation {
  const { accountId, claimOf } = competitionOf(context);
  return claimRelationOf(domain, accountId, claimOf(domain.spec.hostname));
}

/** All domains of a project as competitors of each other. No two of them share a rank. */
export function competitorsIn(context: CallerContext, { metadata, spec }: DomainHead): readonly Competitor[] {
  const { domains } = context.dependencies.caches;
  const all = domains.byIndex('project', indexKey(metadata.namespace ?? '', spec.project));
  return competitorsOf(null, all, competitionOf(context));
}

/**
 * Everything the acceptance rules need about a ProjectDomain, which may not exist yet; the operator decides on the same
 * input.
 */
export function acceptanceCandidate(
  context: CallerContext,
  domain: ProjectDomain,
  siblings: readonly Competitor[] = competitorsIn(context, domain),
): AcceptanceCandidate {
  const { caches, settings } = context.dependencies;
  const { account, limits } = context.caller;
  const { namespace = '' } = domain.metadata;
  const { hostname } = domain.spec;
  const around = competitionOf(context);
  const created = domain.metadata.creationTimestamp ?? notYet;
  const known = { ...domain, metadata: { ...domain.metadata, creationTimestamp: created } };
  const project = caches.projects.get({ namespace, name: domain.spec.project });
  const sameHostname = caches.domains.byIndex('place', indexKey(namespace, hostname));
  return {
    domain: known,
    account,
    claimRelation: claimRelationIn(context, known),
    canPrepare: settings.challengeZone !== null,
    canWildcard: settings.wildcards,
    platformDomains: [settings.platformDomain, settings.cnameDomain],
    limits,
    project,
    platformHostname: heldPlatformHostname(project, around.claimOf),
    precedence: precedenceOf(known, around.claimOf(hostname), around.accountId),
    siblings,
    sameHostname: competitorsOf(domain, sameHostname, around),
  };
}

/** The records to create, equal to those the operator will report: same code, same installation key. */
export function recordsOf(
  context: CallerContext,
  domain: ProjectDomain,
  relation: ClaimRelation,
): readonly DesiredRecord[] {
  const { settings } = context.dependencies;
  const { hostname, project } = domain.spec;
  const accountId = context.caller.account.spec.id;
  const platformDomains = [settings.platformDomain, settings.cnameDomain];
  const isUsable = hostnameFinding(hostname, platformDomains, { canWildcard: settings.wildcards }) === null;
  if (!accountId || !isUsable) return [];
  const { zone = null, routedBy } = domain.status?.check ?? {};
  const target = settings.records.target({ accountId, name: project });
  const needed = needsTxt({
    hostname,
    zone,
    required: settings.requireTxt,
    contested: relation.kind === 'Foreign',
    byShared: sharesProof({
      routedBy,
      code: findCondition(domain.status?.conditions, 'DNSVerified')?.reason,
      issues: domain.status?.issues ?? [],
    }),
    byTarget: routedBy === 'target',
  });
  const txt = needed ? settings.records.ownership({ accountId, hostname, epoch: relation.epoch }) : null;
  const wildcard = wildcardOfBase(context, domain);
  const delegation = delegationOf(settings, { ...domain, accountId, epoch: relation.epoch, routedBy, wildcard });
  return desiredRecords({ hostname, zone, target, txt, delegation });
}

/** The wildcard of this namespace whose base a prepared hostname is, and whose delegation it has; undefined for any other. */
function wildcardOfBase(
  context: CallerContext,
  { metadata: { namespace = '' }, spec }: ProjectDomain,
): DelegatingWildcard | undefined {
  if (spec.prepare !== true) return undefined;
  const hostname = wildcardOf(spec.hostname);
  const { accountId, claimOf } = competitionOf(context);
  const claim = claimOf(hostname);
  const [first] = context.dependencies.caches.domains
    .byIndex('place', indexKey(namespace, hostname))
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .toSorted((a, b) => comparePrecedence(precedenceOf(a, claim, accountId), precedenceOf(b, claim, accountId)));
  return first && { ...first, epoch: claimRelationOf(first, accountId, claim).epoch };
}
