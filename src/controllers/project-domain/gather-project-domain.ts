import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Limits } from '../../rules/plan-limits.ts';
import type { Precedence, Competitor } from '../../rules/precedence.ts';
import { domainLeavesWith } from '../../rules/leaving.ts';
import { comparePrimaries, competitorsOf, namesHolder, precedenceOf } from '../../rules/precedence.ts';
import { isPrimary } from '../../rules/domain-head.ts';
import { claimRelationOf } from '../../rules/hostname-claims.ts';
import { heldPlatformHostname } from '../../rules/platform-hostname.ts';
import type { DelegatingWildcard } from '../../rules/challenge-delegation.ts';
import { delegationOf } from '../../rules/challenge-delegation.ts';
import { baseOf, isWildcard, wildcardAbove, wildcardOf } from '../../rules/wildcard.ts';
import { suspendedBelowAtMost } from '../../rules/claim-suspension.ts';
import { canServeWildcards } from '../controller-settings.ts';
import { childName } from '../../rules/dns-target.ts';
import type { AccountHead } from '../kept-fields.ts';
import { accountOf, limitsOf, namespacesOf, permittedClasses } from '../account-lookup.ts';
import { ahead } from '../precedence-index.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import { overlappingClaims } from '../overlapping-claims.ts';
import type { Caches } from '../needs.ts';
import { indexKey } from '../../kubernetes/object-keys.ts';
import { undecided } from '../../issuing/request-status.ts';
import type { OrderUsage, OrderUsageSources } from '../order-ledger/order-usage.ts';
import { readOrderUsage, noOrderUsage, placeInQueue } from '../order-ledger/order-usage.ts';
import { orderingAccounts } from '../acme-issuer/ordering-accounts.ts';
import type { CheckStatus } from './check-status.ts';
import { readCheckStatus } from './check-status.ts';
import type { DomainClasses } from './domain-classes.ts';
import { domainClasses, formerUntilOf } from './domain-classes.ts';
import { competingIngresses } from '../../routing/ingress/other-ingresses.ts';
import { gatherOwnCertificates } from './own-certificate/gather-own-certificates.ts';
import type { RecentCheck, RecentChecks } from './recent-checks.ts';
import { withRecentCheck } from './recent-checks.ts';
import type { ObservedRoute } from '../../routing/route-port.ts';
import type { GatheredProjectDomain, HolderRecords } from './project-domain-snapshot.ts';
import { verifyAnnotation } from '../../resources/object-metadata.ts';
import { verifyRequest } from '../../rules/verify-request.ts';
import { claimKey, claimedHostname } from '../../rules/claim-name.ts';

export interface GatherSources {
  readonly caches: Caches;
  readonly settings: ControllerSettings;
  readonly recentChecks: Pick<RecentChecks, 'of' | 'since'>;
}

/** Reads caches and memory once and freezes the result; `now` in milliseconds since the Unix epoch. */
export function gatherProjectDomain(
  { caches, settings, recentChecks }: GatherSources,
  domain: ProjectDomain,
  now: number,
): GatheredProjectDomain {
  const { namespace = '' } = domain.metadata;
  const { hostname, project: projectName, redirect } = domain.spec;
  const account = accountOf(caches, namespace);
  const claim = caches.claims.get(claimKey(hostname));
  const limits = limitsOf(caches, account);
  const accountId = account?.spec.id ?? lastKnownAccount(domain, claim);
  const precedence = precedenceOf(domain, claim, accountId);
  const claimRelation = claimRelationOf(domain, accountId, claim);
  const child = { namespace, name: childName(hostname) };
  const recent = recentChecks.of(domain.metadata.uid ?? '');
  const checkStatus = withRecentCheck(readCheckStatus(domain), recent);
  const requests = caches.certificateRequests.byIndex('certificate', indexKey(child.namespace, child.name));
  const route = caches.routes.get(namespace, hostname);
  const project = caches.projects.get({ namespace, name: projectName });
  const classes = domainClasses(settings, { permitted: permittedClasses(caches, account), project, route });
  const issuerAccounts = orderingAccounts(caches, settings);
  return Object.freeze({
    now,
    settings,
    domain,
    account,
    limits,
    project,
    platformHostname: heldPlatformHostname(project, (name) => caches.claims.get(claimKey(name))),
    precedence,
    siblings: relevantSiblings(caches, domain, { accountId, precedence, limits }),
    sameHostname: firstWithSameHostname(caches, domain, account),
    claim,
    claimRelation,
    leaving: domainLeavesWith(domain, project, {
      namespace: caches.namespaces.get({ namespace: '', name: namespace }),
      account,
      claim,
    }),
    ...suspendingClaims({ caches, settings }, hostname),
    overlaps: overlappingClaims(caches, hostname, accountId),
    foreignHolder: claimRelation.kind === 'Foreign' && claim ? holderRecords(caches, settings, claim) : null,
    ...proofs(settings, domain, {
      wildcard: wildcardOfBase(caches, domain, accountId),
      accountId: account?.spec.id,
      epoch: claimRelation.epoch,
      routedBy: checkStatus.routedBy,
    }),
    certificate: caches.certificates.get(child),
    requests,
    orderLedger: caches.orderLedgers.get({ namespace: '', name: settings.issuer.name }),
    ...(undecided(requests).length > 0
      ? orderUsage({ caches, settings, issuerAccounts, now }, domain, account)
      : noOrderUsage),
    own: gatherOwnCertificates({ caches, settings }, { domain, accountId, route }),
    route,
    otherIngresses: route ? competingIngresses(route.objects, caches.otherIngresses.byIndex('host', hostname)) : [],
    classes,
    isWildcardServed: isWildcardServed({ caches, settings }, domain, route),
    destination: redirect && caches.routes.get(namespace, redirect.to),
    issuerAccounts,
    verify: verifyRequest(domain.metadata.annotations?.[verifyAnnotation], checkStatus, now),
    checkStatus,
    leadingSince: recentChecks.since,
    ...rememberedOf(recent, classes),
    failureCounts: caches.failureCounts(),
  });
}

/** Whether the account's wildcard serves a hostname that has no certificate of its own yet. */
function isWildcardServed(
  { caches, settings }: Pick<GatherSources, 'caches' | 'settings'>,
  { metadata: { namespace = '' }, spec: { hostname } }: ProjectDomain,
  route: ObservedRoute | undefined,
): boolean {
  if (route?.secretName !== undefined || !canServeWildcards(settings)) return false;
  const above = wildcardAbove(hostname);
  return above !== null && caches.routes.get(namespace, above)?.secretName !== undefined;
}

/** What else than its own claim may suspend a hostname, where wildcards are served. */
function suspendingClaims(
  { caches, settings }: Pick<GatherSources, 'caches' | 'settings'>,
  hostname: string,
): Pick<GatheredProjectDomain, 'claimAbove' | 'suspendedBelow'> {
  if (!canServeWildcards(settings)) return { claimAbove: undefined, suspendedBelow: [] };
  const above = wildcardAbove(hostname);
  const claimAbove = above === null ? undefined : caches.claims.get(claimKey(above));
  if (!isWildcard(hostname)) return { claimAbove, suspendedBelow: [] };
  const found = caches.claims.keysByIndex('suspendedBelow', baseOf(hostname)).map(({ name }) => name);
  return { claimAbove, suspendedBelow: found.toSorted().slice(0, suspendedBelowAtMost + 1) };
}

const rememberedOf = (recent: RecentCheck | undefined, classes: DomainClasses) => ({
  unansweredSince: recent?.unansweredSince ?? null,
  routeLostAt: recent?.routeLostAt ?? null,
  edgeSilentSince: recent?.edgeSilentSince ?? null,
  formerUntil: formerUntilOf(recent?.former ?? null, classes),
});

const orderUsage = (
  sources: OrderUsageSources & Pick<GatherSources, 'caches'>,
  domain: ProjectDomain,
  account: AccountHead | undefined,
): OrderUsage => ({
  ...readOrderUsage(sources, domain.spec.hostname, account?.spec.id),
  placeInQueue: placeInQueue(sources.caches, domain, account?.metadata.name, sources.now),
});

/**
 * The account of a domain whose Account is missing from the cache (a partial restore), as recorded on the claim that it
 * holds. Nothing new is created for such a domain, as it is not accepted; but what exists is kept.
 */
const lastKnownAccount = (domain: ProjectDomain, claim: HostnameClaim | undefined): string | undefined =>
  claim && namesHolder(claim, domain) ? claim.spec.account : undefined;

interface Proving {
  readonly wildcard: DelegatingWildcard | undefined;
  readonly accountId: string | undefined;
  /** of the claim */
  readonly epoch: number;
  readonly routedBy: CheckStatus['routedBy'];
}

function proofs(
  { records, challengeZone }: ControllerSettings,
  { spec, metadata }: ProjectDomain,
  { accountId, epoch, routedBy, wildcard }: Proving,
) {
  if (!accountId) return { target: null, ownership: null, delegation: null, token: null };
  const { hostname, project: name } = spec;
  return {
    target: records.target({ accountId, name }),
    ownership: records.ownership({ accountId, hostname, epoch }),
    delegation: delegationOf({ records, challengeZone }, { spec, metadata, accountId, epoch, routedBy, wildcard }),
    token: records.token({ accountId, hostname, epoch, uid: metadata.uid ?? '' }),
  };
}

/** The wildcard of this namespace whose base a prepared hostname is, and whose delegation it has; undefined for any other. */
function wildcardOfBase(
  { precedenceIndex, domains, claims }: Caches,
  { metadata: { namespace = '' }, spec }: ProjectDomain,
  accountId: string | undefined,
): DelegatingWildcard | undefined {
  if (spec.prepare !== true) return undefined;
  const hostname = wildcardOf(spec.hostname);
  const [first] = precedenceIndex.ofHostname(namespace, hostname);
  const head = first && domains.headOf(first);
  return head && { ...head, epoch: claimRelationOf(head, accountId, claims.get(claimKey(hostname))).epoch };
}

/** Siblings beyond the cap change no decision; this many are read at least, whatever the cap. */
const minimumAhead = 50;

/**
 * The siblings that a decision depends on: the first ones with higher precedence, one more than the cap, the primary that is served, and the
 * destination of a redirect. Their number is bounded, however many siblings there are.
 */
function relevantSiblings(
  caches: Caches,
  domain: ProjectDomain,
  { accountId, precedence, limits }: Relevance,
): readonly Competitor[] {
  const { precedenceIndex } = caches;
  const { namespace = '' } = domain.metadata;
  const atMost = Math.max(limits?.customDomains.maxPerProject ?? 0, minimumAhead) + 1;
  const first = ahead(precedenceIndex.ofProject(namespace, domain.spec.project), precedence, atMost);
  const others = [servingPrimary(caches, domain, accountId), destinationOf(caches, domain, precedence)];
  return others.reduce<readonly Competitor[]>(
    (found, one) =>
      one === undefined || found.some((competitor) => competitor.precedence.key === one.precedence.key)
        ? found
        : [...found, one],
    first,
  );
}

interface Relevance {
  readonly accountId: string | undefined;
  readonly precedence: Precedence;
  readonly limits: Limits | null;
}

/** How many are looked at of what should be one. */
const primariesAtMost = 4;

/** The other primary of the project that visitors get, wherever it ranks. */
function servingPrimary(
  { domains, claims }: Caches,
  domain: ProjectDomain,
  accountId: string | undefined,
): Competitor | undefined {
  if (!isPrimary(domain)) return undefined;
  const { namespace = '' } = domain.metadata;
  const claimOf = (hostname: string) => claims.get(claimKey(hostname));
  const found = domains
    .keysByIndex('servingPrimary', indexKey(namespace, domain.spec.project))
    .slice(0, primariesAtMost)
    .flatMap((key) => domains.headOf(key) ?? []);
  return competitorsOf(domain, found, { accountId, claimOf }).toSorted(comparePrimaries)[0];
}

/** Where the domain redirects to, in its project. */
function destinationOf(
  { precedenceIndex, domains }: Caches,
  { metadata: { namespace = '' }, spec: { redirect, project } }: ProjectDomain,
  { key }: Precedence,
): Competitor | undefined {
  if (!redirect) return undefined;
  return precedenceIndex
    .ofHostname(namespace, redirect.to)
    .slice(0, minimumAhead)
    .find((competitor) => competitor.precedence.key !== key && domains.headOf(competitor)?.spec.project === project);
}

/** The account's other object with this hostname and the highest precedence, from each of its namespaces. */
function firstWithSameHostname(
  caches: Caches,
  { metadata, spec }: ProjectDomain,
  account: AccountHead | undefined,
): readonly Competitor[] {
  const { namespace = '', name } = metadata;
  const places = new Set([namespace, ...(account ? namespacesOf(caches, account.metadata.name) : [])]);
  const isSelf = (competitor: Competitor) => competitor.namespace === namespace && competitor.name === name;
  return [...places].flatMap(
    (place) =>
      caches.precedenceIndex
        .ofHostname(place, spec.hostname)
        .slice(0, 2)
        .find((competitor) => !isSelf(competitor)) ?? [],
  );
}

/** The records by which the foreign holder still shows in DNS: its own target and its own ownership value. */
function holderRecords(caches: Caches, { records }: ControllerSettings, claim: HostnameClaim): HolderRecords {
  const { account: accountId, holder, epoch } = claim.spec;
  const project = caches.domains.headOf(holder)?.spec.project;
  return {
    target: project ? records.target({ accountId, name: project }) : null,
    ownership: records.ownership({ accountId, hostname: claimedHostname(claim.metadata.name), epoch }),
  };
}
