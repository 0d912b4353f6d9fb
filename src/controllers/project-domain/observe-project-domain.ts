import type { DnsFacts } from '../../dns/dns-facts.ts';
import { challengeName } from '../../rules/desired-records.ts';
import { evaluateDns } from '../../dns/verdict/evaluate-dns.ts';
import type { DnsVerdict, DesiredDns } from '../../dns/verdict/dns-verdict.ts';
import type { ReconcilerDependencies } from '../reconciler-dependencies.ts';
import { canConfirm, isCheckDue, isProbeDue } from './check-due.ts';
import type { AssessedProjectDomain, GatheredProjectDomain, ProjectDomainSnapshot } from './project-domain-snapshot.ts';
import { tokenEvidence } from './token-evidence.ts';

/** Completes a snapshot: checks DNS and probes the route, each where it is due in this reconcile. */
export async function observeProjectDomain(
  dependencies: ReconcilerDependencies,
  assessed: AssessedProjectDomain,
  signal: AbortSignal,
): Promise<ProjectDomainSnapshot> {
  const certManagerUnavailable = dependencies.certManagerUnavailable();
  const [verdict, probe] = await Promise.all([
    isCheckDue(assessed) ? checkDns(dependencies, assessed, signal) : null,
    isProbeDue(assessed) ? probeRoute(dependencies, assessed, signal) : null,
  ]);
  return Object.freeze({ ...assessed, certManagerUnavailable, verdict, probe, now: dependencies.now() });
}

async function checkDns(
  { dns, targets, tokenProbe }: ReconcilerDependencies,
  assessed: AssessedProjectDomain,
  signal: AbortSignal,
): Promise<DnsVerdict | null> {
  const { domain, target } = assessed;
  if (target === null) return null;
  const { hostname } = domain.spec;
  const wanted = desiredDns(assessed, targets.of(target));
  const evaluate = async (facts: DnsFacts, desired = wanted): Promise<DnsVerdict> =>
    evaluateDns(facts, { ...desired, token: await tokenEvidence(tokenProbe, assessed, { facts, wanted, signal }) });
  const request = { hostname, target, txtName: challengeName(hostname), txtRequired: wanted.txtRequired, caa: true };
  if (canConfirm(assessed)) {
    const facts = await dns.check({ ...request, isConfirmation: true }, signal);
    const confirmed = confirmation(await evaluate(facts, { ...wanted, ca: null }), assessed);
    if (confirmed) return confirmed;
  }
  const verdict = await evaluate(await dns.check(request, signal));
  targets.saw(target, verdict.targetAddresses);
  return verdict;
}

/** The verdict when routing is still a yes, with the rest as the last full check found it; otherwise null. */
function confirmation(
  verdict: DnsVerdict,
  { checkStatus: { zone, nameServers } }: AssessedProjectDomain,
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
    zone,
    nameServers: nameServers ?? [],
  });
}

/** The DNS that this domain should have; every verdict compares against it. */
function desiredDns(
  { domain, settings, claimRelation, target, ownership, issuerAccountUri }: GatheredProjectDomain,
  targetAddresses: readonly string[],
): DesiredDns {
  const { hostname } = domain.spec;
  const name = challengeName(hostname);
  return {
    hostname,
    target: target ?? '',
    cnameDomain: settings.cnameDomain,
    platformDomains: [settings.platformDomain, settings.cnameDomain],
    platformAddresses: [...settings.platformAddresses, ...targetAddresses],
    txt: name === null ? null : { name, value: ownership ?? '' },
    txtRequired: settings.requireTxt || claimRelation.kind === 'Foreign' || claimRelation.kind === 'Releasing',
    ca: { ...settings.ca, accountUri: issuerAccountUri },
    cdnRanges: settings.cdnRanges,
  };
}

const probeRoute = (
  { probe }: ReconcilerDependencies,
  { domain, certificate }: GatheredProjectDomain,
  signal: AbortSignal,
) => probe.ask({ hostname: domain.spec.hostname, notAfter: certificate?.status?.notAfter ?? '' }, signal);
