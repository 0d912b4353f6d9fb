import type { RevocationReason } from '../../acme/revocation-reasons.ts';
import { revocationReasons } from '../../acme/revocation-reasons.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { RevocationRequest } from '../../issuing/revocations.ts';
import { KubernetesError } from '../../kubernetes/kubernetes-errors.ts';
import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import type { Clock } from '../../lib/clock.ts';
import { systemClock } from '../../lib/clock.ts';
import { visibleData } from '../../lib/printable.ts';
import { HostnameClaimKind, ProjectDomainKind } from '../../resources/kinds.ts';
import { claimKey } from '../../rules/claim-name.ts';
import { hostnameMeant } from '../../rules/hostname.ts';
import { clusterUsage, onlyName, optionsOf } from '../cluster-options.ts';
import { durationOf, printDuration, tell, writeJson, writeText } from '../terminal-output.ts';
import { UsageError } from '../usage-errors.ts';
import type { ClusterSession } from '../with-cluster.ts';
import { withCluster } from '../with-cluster.ts';
import type { WantedRevocation } from './request-revocation.ts';
import { requestRevocation } from './request-revocation.ts';
import type { RevocationReport } from './revocation-report.ts';
import { printCertificate, revocationReport } from './revocation-report.ts';

export const usage = `usage: projectdomain revoke HOSTNAME [--reason REASON] [--timeout=5m] [--no-wait] [options]

Has every valid certificate of a hostname revoked that the operator ordered with an AcmeIssuer, and waits until it is. Where
the hostname is served, a certificate with a new key takes the place of the present one first; with keyCompromise both
begin at once.

  --reason REASON     keyCompromise, superseded, cessationOfOperation or unspecified; default: unspecified
  --at-once           whatever the reason, do not wait for the new certificate
  --timeout DURATION  how long to wait at most; default: 5m
  --no-wait           only request it; the operator goes on in any case
${clusterUsage}
Claims belong to the cluster, not to namespaces, so --namespace has no effect here.

exit status: 0 revoked; with --no-wait: requested
             1 not revoked, not in time, nothing to revoke, or refused
             3 wrong usage`;

/** What became of the command. */
type Outcome = RevocationReport['outcome'] | 'requested' | 'late';

interface Revoked {
  readonly outcome: Outcome;
  readonly report: RevocationReport;
  /** what the new certificate waits for, as far as that is known; '' otherwise */
  readonly waitsFor: string;
}

/** Requests that certificates are revoked and, unless told otherwise, waits for it. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(args, {
    reason: { type: 'string' },
    'at-once': { type: 'boolean' },
    timeout: { type: 'string' },
    'no-wait': { type: 'boolean' },
  });
  if (values['no-wait'] && values.timeout !== undefined)
    throw new UsageError('--no-wait and --timeout exclude each other');
  const hostname = hostnameMeant(onlyName(positionals, 'hostname'));
  const wanted = { hostname, reason: reasonOf(values.reason), atOnce: values['at-once'] ?? false };
  const ms = values['no-wait'] ? null : durationOf('--timeout', values.timeout ?? '5m');
  const revoked = await withCluster(values, (session) => act(session, wanted, ms));
  if (values.json) {
    const { outcome: _, ...report } = revoked.report;
    writeJson({ outcome: revoked.outcome, ...report });
  } else print(visibleData(revoked));
  if (revoked.outcome === 'late') tell(late(visibleData(revoked), ms ?? 0));
  return revoked.outcome === 'revoked' || revoked.outcome === 'requested' ? 0 : 1;
}

function reasonOf(text = 'unspecified'): RevocationReason {
  const names = Object.keys(revocationReasons) as readonly RevocationReason[];
  const reason = names.find((known) => known.toLowerCase() === text.toLowerCase());
  if (reason) return reason;
  throw new UsageError(`--reason: there is no reason '${text}'; there are ${names.join(', ')}`);
}

async function act(session: ClusterSession, wanted: WantedRevocation, ms: number | null): Promise<Revoked> {
  const { cluster } = session;
  const { hostname } = wanted;
  const { request, byHand } = await requestRevocation(cluster, wanted, Date.now);
  if (byHand !== null) tell(byHand);
  if (ms === null) {
    const report = revocationReport(undefined, hostname, request);
    return { outcome: 'requested', report, waitsFor: '' };
  }
  const report = await awaitRevocation(cluster, { hostname, request, ms, tell: teller() }, systemClock);
  if (report.outcome !== 'open') return { outcome: report.outcome, report, waitsFor: '' };
  return { outcome: 'late', report, waitsFor: await newCertificateWaitsFor(session, hostname) };
}

/** Says on stderr what is waited for, once whenever that changes. */
function teller(): (report: RevocationReport) => void {
  let said = '';
  return ({ hostname, outcome, certificates, isReplaced }) => {
    if (outcome !== 'open') return;
    const lines = certificates.map(printCertificate);
    const wait = isReplaced
      ? `${hostname}: a certificate with a new key is issued`
      : `${hostname}: revocation requested`;
    const now = [wait, ...lines].join('\n  ');
    if (now !== said) tell(now);
    said = now;
  };
}

function print({ outcome, report }: Revoked): void {
  const { hostname, reason, certificates, isReplaced } = report;
  if (outcome === 'requested') return writeText(`${hostname}: revocation requested (${reason})`);
  if (outcome === 'overtaken')
    return tell(
      `${hostname}: another request took the place of this one, or another account proved the hostname meanwhile; run it again to see what is left`,
    );
  for (const certificate of certificates) writeText(`${hostname}: ${printCertificate(certificate)}`);
  if (outcome === 'late') return;
  if (certificates.length === 0) writeText(`${hostname}: nothing was left to revoke`);
  if (isReplaced) writeText(`${hostname}: a certificate with a new key is served`);
}

function late({ report: { hostname, certificates }, waitsFor }: Revoked, ms: number): string {
  const hint =
    certificates.length === 0
      ? 'the operator has not seen the request; make sure that it is running'
      : waitsFor === ''
        ? 'the operator goes on'
        : `the new certificate waits: ${waitsFor}; the operator goes on, and --at-once does not wait for it`;
  return `${hostname}: not all is revoked after ${printDuration(ms)}; ${hint}`;
}

/** Only a hint: where it cannot be read, there is none. */
async function newCertificateWaitsFor({ cluster }: ClusterSession, hostname: string): Promise<string> {
  try {
    const claim = await cluster.get(HostnameClaimKind, claimKey(hostname));
    const domain = claim && (await cluster.get(ProjectDomainKind, claim.spec.holder));
    const { waitsFor, waitsUntil } = domain?.status?.certificate ?? {};
    if (waitsFor === undefined) return '';
    return waitsUntil === undefined ? waitsFor : `${waitsFor} until ${waitsUntil}`;
  } catch {
    return '';
  }
}

interface Awaited {
  readonly hostname: string;
  readonly request: RevocationRequest;
  readonly ms: number;
  /** called with each report that is seen */
  readonly tell: (report: RevocationReport) => void;
}

const lookEveryMs = 1_000;

/**
 * Looks at the claim every second until the request has ended or the time is up, and gives the last report. A cluster that does not answer is
 * asked again until then; rejects at once with errors that asking again cannot fix.
 */
async function awaitRevocation(
  cluster: Pick<Cluster, 'get'>,
  { hostname, request, ms, tell }: Awaited,
  { elapsed, sleep }: Pick<Clock, 'elapsed' | 'sleep'>,
): Promise<RevocationReport> {
  const until = elapsed() + ms;
  let last: RevocationReport = { ...revocationReport(undefined, hostname, request), outcome: 'open' };
  while (true) {
    const seen = await look(cluster, hostname);
    if (seen !== 'Unanswered') {
      last = revocationReport(seen, hostname, request);
      tell(last);
    }
    const left = until - elapsed();
    if (last.outcome !== 'open' || left <= 0) return last;
    await sleep(Math.min(lookEveryMs, left));
  }
}

const permanent: ReadonlySet<number> = new Set([401, 403, 404]);

async function look(
  cluster: Pick<Cluster, 'get'>,
  hostname: string,
): Promise<HostnameClaim | undefined | 'Unanswered'> {
  try {
    return await cluster.get(HostnameClaimKind, claimKey(hostname));
  } catch (error) {
    if (error instanceof KubernetesError && permanent.has(error.status)) throw error;
    return 'Unanswered';
  }
}
