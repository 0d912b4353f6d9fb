import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { RevocationRequest } from '../../issuing/revocations.ts';
import { KubernetesError } from '../../kubernetes/kubernetes-errors.ts';
import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import type { Clock } from '../../lib/clock.ts';
import { HostnameClaimKind } from '../../resources/kinds.ts';
import type { RevocationReport } from './revocation-report.ts';
import { revocationReport } from './revocation-report.ts';
import { claimKey } from '../../rules/claim-name.ts';

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
export async function awaitRevocation(
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
