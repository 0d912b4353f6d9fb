import { challengeName } from '../../rules/desired-records.ts';
import { evaluateDns } from '../../dns/verdict/evaluate-dns.ts';
import type { DnsVerdict, DesiredDns } from '../../dns/verdict/dns-verdict.ts';
import type { ReconcilerDependencies } from '../reconciler-dependencies.ts';
import { isCheckDue, isProbeDue } from './check-due.ts';
import type { AssessedProjectDomain, GatheredProjectDomain, ProjectDomainSnapshot } from './project-domain-snapshot.ts';

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
  { dns, targets }: ReconcilerDependencies,
  gathered: GatheredProjectDomain,
  signal: AbortSignal,
): Promise<DnsVerdict | null> {
  const { domain, target } = gathered;
  if (target === null) return null;
  const { hostname } = domain.spec;
  const wanted = desiredDns(gathered, targets.of(target));
  const { txtRequired } = wanted;
  const facts = await dns.check({ hostname, target, txtName: challengeName(hostname), txtRequired, caa: true }, signal);
  const verdict = evaluateDns(facts, wanted);
  targets.saw(target, verdict.targetAddresses);
  return verdict;
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
  };
}

const probeRoute = (
  { probe }: ReconcilerDependencies,
  { domain, certificate }: GatheredProjectDomain,
  signal: AbortSignal,
) => probe.ask({ hostname: domain.spec.hostname, notAfter: certificate?.status?.notAfter ?? '' }, signal);
