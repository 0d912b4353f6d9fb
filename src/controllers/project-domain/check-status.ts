import { timestamp } from '../../rules/conditions.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { DnsVerdict } from '../../dns/verdict/dns-verdict.ts';

type Answer = 'Yes' | 'No' | 'Unknown';

/**
 * What earlier checks found, kept in status.check: verdicts are observations in time and cannot be read off the
 * cluster again. Times are milliseconds since the Unix epoch.
 */
export interface CheckStatus {
  readonly startedAt: number;
  readonly checkedAt: number | null;
  /** value of the verify annotation that was honoured last */
  readonly verifySeen: string | null;
  readonly routing: Answer | null;
  readonly ownership: Answer | null;
  readonly caa: Answer | null;
  /** two servers at different addresses said it, wherever the zone has two */
  readonly corroborated: boolean | null;
  /** the last answer to routing and CAA together that was no Unknown */
  readonly lastDefinite: 'Yes' | 'No' | null;
  readonly routedBy: string | null;
  readonly zone: string | null;
  /** names of that zone's servers, sorted */
  readonly nameServers: readonly string[] | null;
  /** checks in a row that proved routing and ownership; counted for contested names */
  readonly successes: number;
  /** checks in a row that said no, and since when */
  readonly failures: number;
  readonly failingSince: number | null;
  readonly unknownSince: number | null;
}

const nothingYet = {
  verifySeen: null,
  routing: null,
  ownership: null,
  caa: null,
  corroborated: null,
  lastDefinite: null,
  routedBy: null,
  zone: null,
  nameServers: null,
  successes: 0,
  failures: 0,
};

const parse = (time: string | undefined): number | null => (time === undefined ? null : Date.parse(time));

/** Memory as status.check holds it; a domain never checked starts its series at its creation. */
export function readCheckStatus({ status, metadata }: ProjectDomain): CheckStatus {
  const { startedAt, checkedAt, failingSince, unknownSince, ...rest } = status?.check ?? {};
  return {
    ...nothingYet,
    ...rest,
    startedAt: parse(startedAt ?? metadata.creationTimestamp) ?? 0,
    checkedAt: parse(checkedAt),
    failingSince: parse(failingSince),
    unknownSince: parse(unknownSince),
  };
}

const answer = (verdict: 'yes' | 'no' | 'unknown'): Answer =>
  verdict === 'yes' ? 'Yes' : verdict === 'no' ? 'No' : 'Unknown';

function definite({ routing, ownership, caa }: DnsVerdict): 'Yes' | 'No' | null {
  const verdicts = [routing, ownership, caa].map(({ verdict }) => verdict);
  if (verdicts.includes('no')) return 'No';
  return verdicts.includes('unknown') ? null : 'Yes';
}

/** Memory after one more check. An unknown neither counts as a failure nor forgives one. */
export function withVerdict(checkStatus: CheckStatus, verdict: DnsVerdict, now: number): CheckStatus {
  const { routing, ownership, caa, zone, nameServers } = verdict;
  const proven = routing.verdict === 'yes' && ownership.verdict === 'yes';
  const seen = {
    ...checkStatus,
    checkedAt: now,
    routing: answer(routing.verdict),
    ownership: answer(ownership.verdict),
    caa: answer(caa.verdict),
    corroborated: verdict.corroborated,
    lastDefinite: definite(verdict) ?? checkStatus.lastDefinite,
    routedBy: routing.by ?? checkStatus.routedBy,
    zone: zone ?? checkStatus.zone,
    nameServers: nameServers.length > 0 ? nameServers : checkStatus.nameServers,
    successes: proven ? checkStatus.successes + 1 : 0,
  };
  if (routing.verdict === 'unknown') return { ...seen, unknownSince: checkStatus.unknownSince ?? now };
  if (routing.verdict === 'yes') return { ...seen, failures: 0, failingSince: null, unknownSince: null };
  return {
    ...seen,
    failures: checkStatus.failures + 1,
    failingSince: checkStatus.failingSince ?? now,
    unknownSince: null,
  };
}

/** status.check as it is written; absent values are left out. */
export function checkStatusFields(checkStatus: CheckStatus) {
  const { checkedAt, failingSince, unknownSince, startedAt, successes, failures, ...rest } = checkStatus;
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  const times = { checkedAt, failingSince, unknownSince };
  const written = Object.entries(times).flatMap(([name, at]) => (at === null ? [] : [[name, timestamp(at)] as const]));
  return { startedAt: timestamp(startedAt), successes, failures, ...known, ...Object.fromEntries(written) };
}
