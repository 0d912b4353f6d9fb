import { visibleData } from '../lib/printable.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { DomainState } from '../rules/domain-state.ts';
import { domainStateNames } from '../rules/domain-state.ts';
import type { DomainSummary } from './domain-summary.ts';
import { domainSummary, isToldByIssues, printIssues } from './domain-summary.ts';
import { durationOf, printDuration, tell, writeResult } from './terminal-output.ts';
import { findDomain } from './find-domain.ts';
import { clusterUsage, onlyName, optionsOf } from './cluster-options.ts';
import type { ClusterSession } from './with-cluster.ts';
import { withCluster } from './with-cluster.ts';
import { UsageError } from './usage-errors.ts';
import type { WaitResult } from './await-domain.ts';
import { awaitDomain } from './await-domain.ts';

export const usage = `usage: projectdomain wait NAME --for=STATE [--timeout=5m] [options]

Waits until a domain is in a state, and prints each change on stderr. NAME is a hostname or an object's name.

  --for STATE         Pending, Unverified, Verified, Live, Degraded or Suspended; Verified also counts as reached once
                      the domain is being served
  --timeout DURATION  how long to wait at most; default: 5m; 0s checks once
${clusterUsage}

exit status: 0 reached, 1 not in time, removed, not found or refused, 3 wrong usage`;

interface WaitArguments {
  readonly name: string;
  readonly wanted: DomainState;
  readonly ms: number;
}

/** Waits until a domain is in a state. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(args, { for: { type: 'string' }, timeout: { type: 'string' } });
  const given = {
    name: onlyName(positionals, 'hostname or name'),
    wanted: stateOf(values.for),
    ms: durationOf('--timeout', values.timeout ?? '5m'),
  };
  const { end, domain } = await withCluster(values, (session) => waitFor(session, given));
  const view = domainSummary(domain, Date.now());
  if (end !== 'reached') tell(failed(end, visibleData(view), given));
  if (values.json || end === 'reached')
    writeResult({ outcome: end, ...view }, values.json, ({ hostname, state }) => `${hostname} is ${state ?? ''}`);
  return end === 'reached' ? 0 : 1;
}

function stateOf(text: string | undefined): DomainState {
  if (text === undefined) throw new UsageError('--for is missing');
  const state = domainStateNames.find((known) => known.toLowerCase() === text.toLowerCase());
  if (state) return state;
  throw new UsageError(`--for: there is no state '${text}'; there are ${domainStateNames.join(', ')}`);
}

async function waitFor(session: ClusterSession, { name, wanted, ms }: WaitArguments): Promise<WaitResult> {
  const tellChange = teller();
  const isReached = (domain: ProjectDomain) => {
    tellChange(visibleData(domainSummary(domain, Date.now())));
    return isIn(wanted, domain.status?.state);
  };
  const domain = await findDomain(session, name);
  if (isReached(domain)) return { end: 'reached', domain };
  return ms === 0 ? { end: 'late', domain } : awaitDomain(session, domain, { ms, isReached });
}

/** Verified lasts only seconds before the domain is served, so Live and Degraded count as Verified too. */
export function isIn(wanted: DomainState, state: DomainState | undefined): boolean {
  if (wanted === 'Verified') return state === 'Verified' || state === 'Live' || state === 'Degraded';
  return state === wanted;
}

/** Prints each state and reason once, when it changes. */
function teller(): (view: DomainSummary) => void {
  let said = '';
  return ({ hostname, state, reason, message }) => {
    const now = `${state ?? 'new'} (${reason})`;
    if (now !== said) tell(`${hostname}: ${now}: ${message}`);
    said = now;
  };
}

function failed(end: WaitResult['end'], view: DomainSummary, { wanted, ms }: WaitArguments): string {
  const { hostname, state, reason, message } = view;
  if (end === 'removed') return `${hostname} was removed before it was ${wanted}; it was ${state ?? 'new'} (${reason})`;
  const why = isToldByIssues(view) ? '' : `: ${message}`;
  const late = `${hostname} is not ${wanted} after ${printDuration(ms)} but ${state ?? 'new'} (${reason})${why}`;
  return [late, printIssues(view)].filter(Boolean).join('\n');
}
