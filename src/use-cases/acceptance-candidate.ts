import type { ProjectDomain } from '../generated/project-domain.ts';
import { indexKey } from '../kubernetes/object-keys.ts';
import { ProjectDomainKind } from '../resources/kinds.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import { findCondition } from '../rules/conditions.ts';
import type { AcceptanceCandidate } from '../rules/acceptance.ts';
import { hostnameFinding } from '../rules/acceptance.ts';
import type { Competitor } from '../rules/precedence.ts';
import { comparePrecedence, competitorsOf, notYet, precedenceOf } from '../rules/precedence.ts';
import type { DesiredRecord } from '../rules/desired-records.ts';
import type { DelegatingWildcard } from '../rules/challenge-delegation.ts';
import { delegationOf } from '../rules/challenge-delegation.ts';
import { wildcardOf } from '../rules/wildcard.ts';
import { needsTxt, desiredRecords, sharesProof } from '../rules/desired-records.ts';
import { claimRelationOf } from '../rules/hostname-claims.ts';
import { heldPlatformHostname } from '../rules/platform-hostname.ts';
import type { ApiDependencies, Caller } from './api-dependencies.ts';
import { claimKey, claimName } from '../rules/claim-name.ts';

/** A ProjectDomain as REST creates it: stand-alone and named after its hostname (claimName). */
export function draftDomain(namespace: string, spec: ProjectDomain['spec']): ProjectDomain {
  const { apiVersion, kind } = ProjectDomainKind;
  return { apiVersion, kind, metadata: { name: claimName(spec.hostname), namespace }, spec };
}

/** A ProjectDomain with its account and its relation to the hostname's claim: the input for its DNS records. */
export type RecordContext = Pick<AcceptanceCandidate, 'domain' | 'account' | 'claimRelation'>;

/** The part of the candidate whose cost does not depend on how many domains the project has. */
export function recordContextOf(
  { caches }: ApiDependencies,
  { account }: Caller,
  domain: ProjectDomain,
): RecordContext {
  const claim = caches.claims.get(claimKey(domain.spec.hostname));
  return { domain, account, claimRelation: claimRelationOf(domain, account.spec.id, claim) };
}

/** All domains of a project as competitors of each other. No two of them share a rank. */
export function competitorsIn(
  { caches }: ApiDependencies,
  accountId: string | undefined,
  domain: DomainHead,
): readonly Competitor[] {
  const { metadata, spec } = domain;
  const all = caches.domains.byIndex('project', indexKey(metadata.namespace ?? '', spec.project));
  return competitorsOf(null, all, { accountId, claimOf: (name) => caches.claims.get(claimKey(name)) });
}

/**
 * Everything the acceptance rules need about a ProjectDomain, which may not exist yet; the operator decides on the same
 * input.
 */
export function acceptanceCandidate(
  dependencies: ApiDependencies,
  caller: Caller,
  domain: ProjectDomain,
  siblings: readonly Competitor[] = competitorsIn(dependencies, caller.account.spec.id, domain),
): AcceptanceCandidate {
  const { caches, settings } = dependencies;
  const { namespace = '' } = domain.metadata;
  const { hostname } = domain.spec;
  const accountId = caller.account.spec.id;
  const around = { accountId, claimOf: (name: string) => caches.claims.get(claimKey(name)) };
  const claim = around.claimOf(hostname);
  const created = domain.metadata.creationTimestamp ?? notYet;
  const known = { ...domain, metadata: { ...domain.metadata, creationTimestamp: created } };
  const project = caches.projects.get({ namespace, name: domain.spec.project });
  const sameHostname = caches.domains.byIndex('place', indexKey(namespace, hostname));
  return {
    ...recordContextOf(dependencies, caller, known),
    canPrepare: settings.challengeZone !== null,
    canWildcard: settings.wildcards,
    platformDomains: [settings.platformDomain, settings.cnameDomain],
    limits: caller.limits,
    project,
    platformHostname: heldPlatformHostname(project, around.claimOf),
    precedence: precedenceOf(known, claim, accountId),
    siblings,
    sameHostname: competitorsOf(domain, sameHostname, around),
  };
}

/** The records to create, equal to those the operator will report: same code, same installation key. */
export function recordsOf(
  { settings, caches }: ApiDependencies,
  { domain, claimRelation, account }: RecordContext,
): readonly DesiredRecord[] {
  const { hostname, project } = domain.spec;
  const accountId = account?.spec.id;
  const platformDomains = [settings.platformDomain, settings.cnameDomain];
  const isUsable = hostnameFinding(hostname, platformDomains, { canWildcard: settings.wildcards }) === null;
  if (!accountId || !isUsable) return [];
  const { zone = null, routedBy } = domain.status?.check ?? {};
  const target = settings.records.target({ accountId, name: project });
  const needed = needsTxt({
    hostname,
    zone,
    required: settings.requireTxt,
    contested: claimRelation.kind === 'Foreign',
    byShared: sharesProof({
      routedBy,
      code: findCondition(domain.status?.conditions, 'DNSVerified')?.reason,
      issues: domain.status?.issues ?? [],
    }),
    byTarget: routedBy === 'target',
  });
  const txt = needed ? settings.records.ownership({ accountId, hostname, epoch: claimRelation.epoch }) : null;
  const wildcard = wildcardOfBase(caches, domain, accountId);
  const delegation = delegationOf(settings, { ...domain, accountId, epoch: claimRelation.epoch, routedBy, wildcard });
  return desiredRecords({ hostname, zone, target, txt, delegation });
}

/** The wildcard of this namespace whose base a prepared hostname is, and whose delegation it has; undefined for any other. */
function wildcardOfBase(
  { domains, claims }: ApiDependencies['caches'],
  { metadata: { namespace = '' }, spec }: ProjectDomain,
  accountId: string,
): DelegatingWildcard | undefined {
  if (spec.prepare !== true) return undefined;
  const hostname = wildcardOf(spec.hostname);
  const claim = claims.get(claimKey(hostname));
  const [first] = domains
    .byIndex('place', indexKey(namespace, hostname))
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .toSorted((a, b) => comparePrecedence(precedenceOf(a, claim, accountId), precedenceOf(b, claim, accountId)));
  return first && { ...first, epoch: claimRelationOf(first, accountId, claim).epoch };
}
