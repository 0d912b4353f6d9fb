import type { CheckRequest, DnsFacts } from '../../dns/dns-facts.ts';
import { checkOf, desiredDns } from '../../dns/verdict/desired-dns.ts';
import type { DesiredDns, DnsVerdict } from '../../dns/verdict/dns-verdict.ts';
import { evaluateForAccounts } from '../../dns/verdict/evaluate-dns.ts';
import { HostnameClaimKind } from '../../resources/kinds.ts';
import type { ProbeResult } from '../../routing/https-probe.ts';
import { claimKey } from '../../rules/claim-name.ts';
import type { OverlappingClaim } from '../../rules/hostname-claims.ts';
import type { RoutedBy } from '../../rules/next-dns-check.ts';
import { visitedHostname } from '../../rules/dns-target.ts';
import { isWildcard, wildcardAbove } from '../../rules/wildcard.ts';
import { observeGateways } from '../gateway-guard.ts';
import { foreignBelow, overlapOf } from '../overlapping-claims.ts';
import type { ProjectDomainNeeds } from './project-domain-needs.ts';
import { areSecretsGone } from '../tls-secrets.ts';
import { canConfirm, isCheckDue, isLookDue, isProbeDue } from './check-due.ts';
import { addressesFor } from './domain-classes.ts';
import type { AssessedProjectDomain, GatheredProjectDomain, ProjectDomainSnapshot } from './project-domain-snapshot.ts';
import { expectedCertificate, isOwnSecretThere } from './served-certificate.ts';
import { tokenEvidence } from './token-evidence.ts';

/** Completes a snapshot: checks DNS and probes the route, each where it is due in this reconcile. */
export async function observeProjectDomain(
  dependencies: ProjectDomainNeeds,
  assessed: AssessedProjectDomain,
  signal: AbortSignal,
): Promise<ProjectDomainSnapshot> {
  const certManagerUnavailable = dependencies.certManagerUnavailable();
  const [overlaps, verdict, probe, ownSecretIsThere, isFormerGone, ofGateway] = await Promise.all([
    liveOverlaps(dependencies, assessed),
    isCheckDue(assessed) ? checkDns(dependencies, assessed, signal) : null,
    isProbeDue(assessed) || isLookDue(assessed) ? probeRoute(dependencies, assessed, signal) : null,
    isOwnSecretThere(dependencies, assessed),
    isFormerHolderGone(dependencies, assessed),
    observeGateways(dependencies),
  ]);
  const now = dependencies.now();
  const found = { overlaps, verdict, probe, ownSecretIsThere, areSecretsGone: isFormerGone };
  const observed = { ...found, certManagerUnavailable, ...ofGateway };
  return Object.freeze({ ...assessed, ...observed, now });
}

/** Of a hostname that another account gave up, and whose Secret goes before the claim moves. */
async function isFormerHolderGone(
  dependencies: ProjectDomainNeeds,
  { claim, claimRelation }: Pick<GatheredProjectDomain, 'claim' | 'claimRelation'>,
): Promise<boolean> {
  const isGivenUp = claimRelation.kind === 'Foreign' && claimRelation.phase === 'Tombstone';
  return isGivenUp && claim !== undefined && areSecretsGone(dependencies, claim.spec.holder.namespace);
}

async function checkDns(
  { dns, targets, tokenProbe }: ProjectDomainNeeds,
  assessed: AssessedProjectDomain,
  signal: AbortSignal,
): Promise<DnsVerdict | null> {
  const { target } = assessed;
  if (target === null) return null;
  const wanted = wantedOf(assessed, target, targets.of(target));
  const evaluate = async (facts: DnsFacts, desired = wanted): Promise<DnsVerdict> =>
    evaluateForAccounts(
      facts,
      { ...desired, token: await tokenEvidence(tokenProbe, assessed, { facts, wanted, signal }) },
      assessed.issuerAccounts,
    );
  const lookUp = async (isBehindProxy: boolean) =>
    evaluate(await dns.check(requestOf(wanted, { isBehindProxy }), signal));
  if (canConfirm(assessed)) {
    const facts = await dns.check({ ...checkOf(wanted), isConfirmation: true }, signal);
    const confirmed = confirmation(await evaluate(facts, { ...wanted, ca: null }), assessed);
    if (confirmed) return confirmed;
  }
  const { routing, routedBy } = assessed.checkStatus;
  const wasElsewhere = routing === 'Yes' && isElsewhere(routedBy);
  const first = await lookUp(wasElsewhere);
  const verdict = leadsElsewhere(first) && first.dnssec === undefined && !wasElsewhere ? await lookUp(true) : first;
  targets.saw(target, verdict.targetAddresses);
  return verdict;
}

/**
 * Behind a proxy nothing but the token tells whether the hostname leads here, and before its switch nothing but the delegation whether it
 * will. Resolvers are asked about DNSSEC once that shows, so that any other hostname that leads elsewhere costs them nothing.
 */
const leadsElsewhere = ({ routing }: DnsVerdict): boolean => routing.verdict === 'yes' && isElsewhere(routing.by);

const isElsewhere = (by: RoutedBy | null): boolean => by === 'token' || by === 'delegation';

function requestOf(wanted: DesiredDns, { isBehindProxy }: { readonly isBehindProxy: boolean }): CheckRequest {
  const { dnssec, ...request } = checkOf(wanted);
  return { ...request, dnssec: { ...dnssec, isBehindProxy } };
}

/** The verdict when routing is still a yes, with the rest as the last full check found it; otherwise null. */
export function confirmation(
  verdict: DnsVerdict,
  { checkStatus: { zone, nameServers } }: Pick<AssessedProjectDomain, 'checkStatus'>,
): DnsVerdict | null {
  if (verdict.routing.verdict !== 'yes') return null;
  const verified = { verdict: 'yes', code: 'Verified' } as const;
  return Object.freeze({
    ...verdict,
    isConfirmation: true,
    ownership: verified,
    caa: verified,
    corroborated: true,
    issues: [],
    records: verdict.records.filter(({ purpose }) => purpose === 'Routing'),
    zone,
    nameServers: nameServers ?? [],
  });
}

function wantedOf(gathered: GatheredProjectDomain, target: string, targetAddresses: readonly string[]): DesiredDns {
  const { domain, settings, classes, claimRelation, ownership, delegation, issuerAccounts } = gathered;
  const { hostname } = domain.spec;
  const { kind: relation } = claimRelation;
  return desiredDns(settings, {
    ...addressesFor(classes),
    hostname,
    target,
    ownership,
    relation,
    targetAddresses,
    delegation,
    accountUri: issuerAccounts[0]?.ca.accountUri ?? null,
  });
}

/** Asks the edges as a visitor would; null where it is not known what they should answer with. */
export async function probeRoute(
  { probe }: Pick<ProjectDomainNeeds, 'probe'>,
  gathered: Pick<GatheredProjectDomain, 'domain' | 'settings' | 'own' | 'route' | 'certificate'>,
  signal: AbortSignal,
): Promise<ProbeResult | null> {
  const { route, settings, domain } = gathered;
  const expected = expectedCertificate(gathered);
  if (!expected) return null;
  const classes = settings.routingClasses.ofObjects(route?.objects ?? []);
  return probe.ask({ hostname: visitedHostname(domain.spec.hostname), classes, ...expected }, signal);
}

/**
 * The claims that overlap with one that is Pending, with what the kube-apiserver shows now: a cache that is being filled anew has the claim
 * before others that were made earlier. Asks only for a claim that is Pending, which is once in its life.
 */
export async function liveOverlaps(
  { cluster }: Pick<ProjectDomainNeeds, 'cluster'>,
  {
    claim,
    claimRelation,
    domain,
    overlaps,
  }: Pick<GatheredProjectDomain, 'claim' | 'claimRelation' | 'domain' | 'overlaps'>,
): Promise<readonly OverlappingClaim[]> {
  const { hostname } = domain.spec;
  const above = wildcardAbove(hostname);
  if (!claim || claimRelation.kind !== 'Pending') return overlaps;
  if (!isWildcard(hostname))
    return above === null ? [] : overlapOf(await cluster.get(HostnameClaimKind, claimKey(above)));
  const labelSelector = foreignBelow(hostname, claim.spec.account);
  const found = await cluster.list(HostnameClaimKind, { labelSelector });
  return [...overlaps, ...found.flatMap(overlapOf)];
}
