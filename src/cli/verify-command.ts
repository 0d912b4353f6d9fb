import { visibleData } from '../lib/printable.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { findCondition } from '../rules/conditions.ts';
import { ProjectDomainKind } from '../resources/kinds.ts';
import { isVerificationOver, verificationRequest } from '../use-cases/verification-request.ts';
import { domainSummary, printCaches, printCheck, printIssues, printSummary, nameForPeople } from './domain-summary.ts';
import { durationOf, isDuration, printDuration, tell, writeJson, writeText } from './terminal-output.ts';
import { findDomain } from './find-domain.ts';
import { clusterUsage, onlyName, optionsOf } from './cluster-options.ts';
import type { ClusterSession } from './with-cluster.ts';
import { withCluster } from './with-cluster.ts';
import { awaitDomain } from './await-domain.ts';

export const usage = `usage: projectdomain verify NAME [--wait[=60s]] [options]

Requests a DNS check now, and a new attempt at a certificate that is overdue. NAME is a hostname or an object's name.
A domain that is Pending is not checked: its reason says what to do first.

  --wait[=DURATION]   wait until a check that began after this has finished; 60s if no duration is given
${clusterUsage}

exit status: 0 requested; with --wait: DNS is set up correctly
             1 Pending, not found or refused; with --wait: DNS is wrong, or no answer in time
             2 with --wait: the check was inconclusive
             3 wrong usage`;

/** What became of the request. */
type Outcome = 'pending' | 'asked' | 'finished' | 'late' | 'removed';

interface Verified {
  readonly outcome: Outcome;
  readonly domain: ProjectDomain;
  /** as it was before */
  readonly before: ProjectDomain;
}

/** Requests a check and, with --wait, waits for its result. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(withWait(args), { wait: { type: 'string' } });
  const name = onlyName(positionals, 'hostname or name');
  const ms = values.wait === undefined ? null : durationOf('--wait', values.wait);
  const result = await withCluster(values, async (session) => ask(session, await findDomain(session, name), ms));
  if (values.json) writeJson({ outcome: result.outcome, ...domainSummary(result.domain, Date.now()) });
  else print(result, ms ?? 0);
  return statusOf(result);
}

/**
 * The arguments with a duration for a bare `--wait`. A duration behind it is its value, and so is a bare number, which
 * is then refused for its missing unit; anything else is not.
 */
const withWait = (args: readonly string[]): readonly string[] =>
  args.map((arg, index) => (arg === '--wait' && !isValue(args[index + 1] ?? '') ? '--wait=60s' : arg));

const isValue = (text: string): boolean => isDuration(text) || /^\d+$/.test(text);

async function ask(session: ClusterSession, domain: ProjectDomain, ms: number | null): Promise<Verified> {
  if (domain.status?.state === 'Pending') return { outcome: 'pending', domain, before: domain };
  const request = verificationRequest(domain, Date.now());
  const written = await session.cluster.apply<ProjectDomain>(ProjectDomainKind, request.intent);
  if (ms === null) return { outcome: 'asked', domain, before: domain };
  const isReached = (seen: ProjectDomain) => isVerificationOver(request, written, seen);
  const { end, domain: after } = await awaitDomain(session, domain, { ms, isReached });
  return { outcome: end === 'reached' ? 'finished' : end, domain: after, before: domain };
}

function print({ outcome, domain, before }: Verified, ms: number): void {
  const view = visibleData(domainSummary(domain, Date.now()));
  const earlier = domainSummary(before, Date.now());
  const report = [printSummary(view), printIssues(view), printCaches(view)].filter(Boolean).join('\n');
  switch (outcome) {
    case 'asked':
      return writeText(`${nameForPeople(view.hostname)}: DNS check requested`);
    case 'finished':
      return writeText(`${printCheck(view, earlier)}\n${report}`);
    case 'pending':
      return tell(`${view.hostname} is not checked while it is Pending.\n${report}`);
    case 'removed':
      return tell(`${view.hostname} was removed in the meantime`);
    case 'late':
      return tell(
        `${view.hostname}: the check did not finish within ${printDuration(ms)}; make sure that the operator is running. ` +
          `Last seen:\n${report}`,
      );
  }
}

function statusOf({ outcome, domain }: Verified): 0 | 1 | 2 {
  if (outcome === 'asked') return 0;
  if (outcome !== 'finished') return 1;
  const proofs = ['DNSVerified', 'OwnershipVerified'].map(
    (type) => findCondition(domain.status?.conditions, type)?.status ?? 'Unknown',
  );
  if (proofs.includes('False')) return 1;
  return proofs.includes('Unknown') ? 2 : 0;
}
