import { timestamp } from '../../rules/conditions.ts';
import type { Answer, CheckHistory, RoutedBy } from '../../rules/next-dns-check.ts';
import { checkHistoryOf, timeOf } from '../../rules/next-dns-check.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { ChainLink } from '../../dns/verdict/cached-chain.ts';
import { cachedFor } from '../../dns/verdict/cached-chain.ts';
import type { DnsVerdict } from '../../dns/verdict/dns-verdict.ts';
import { schemaBounds, clip } from '../../resources/object-limits.ts';

/** A held name stops counting as verified after this many failed checks in a row, over at least an hour. No more are counted. */
export const failuresToLose = 3;

/** A contested name moves only after this many checks in a row proved it for the other account. No more are counted. */
export const proofsToMove = 2;

/**
 * What earlier checks found, kept in status.check, because past observations cannot be read from the cluster again. The
 * times of checks that found nothing new are in the memory of the process that made them: see recent-checks.ts.
 * Times are milliseconds since the Unix epoch.
 */
export interface CheckStatus extends CheckHistory {
  /** when this process last checked routing, ownership and CAA together; never written */
  readonly fullyCheckedAt: number | null;
  /** value of the verify annotation that was processed last */
  readonly verifySeen: string | null;
  /** the last answer to routing, ownership and CAA together that was not Unknown */
  readonly lastDefinite: 'Yes' | 'No' | null;
  /** names of the issuer's accounts that CAA permits; null where that restricts nothing */
  readonly permittedAccounts: readonly string[] | null;
  readonly routedBy: RoutedBy | null;
  readonly zone: string | null;
  /** names of the zone's name servers, sorted */
  readonly nameServers: readonly string[] | null;
  /** checks in a row that proved routing and ownership, as far as proofsToMove, counted while the name is not held */
  readonly successes: number;
  /** checks in a row whose routing verdict was no, as far as failuresToLose, counted while the name is held; and since when */
  readonly failures: number;
  /** what caches keep of what is wrong, as the last check saw it; null while the hostname is right */
  readonly wrongChain: readonly ChainLink[] | null;
  /** until when caches may still give what was there before the last change; null if they do not */
  readonly lingersUntil: number | null;
}

const neverChecked = {
  verifySeen: null,
  lastDefinite: null,
  permittedAccounts: null,
  routedBy: null,
  zone: null,
  nameServers: null,
  wrongChain: null,
  successes: 0,
  failures: 0,
};

/** Reads status.check; the series of a domain that was never checked starts at its creation. */
export function readCheckStatus(domain: ProjectDomain): CheckStatus {
  const { lingersUntil, ...rest } = domain.status?.check ?? {};
  return {
    ...neverChecked,
    ...rest,
    ...checkHistoryOf(domain),
    fullyCheckedAt: null,
    lingersUntil: timeOf(lingersUntil),
  };
}

const answer = (verdict: 'yes' | 'no' | 'unknown'): Answer =>
  verdict === 'yes' ? 'Yes' : verdict === 'no' ? 'No' : 'Unknown';

function definite({ routing, ownership, caa }: DnsVerdict): 'Yes' | 'No' | null {
  const verdicts = [routing, ownership, caa].map(({ verdict }) => verdict);
  if (verdicts.includes('no')) return 'No';
  return verdicts.includes('unknown') ? null : 'Yes';
}

/** The check status after one more check. An unknown neither counts as a failure nor resets the count. */
export function withVerdict(checkStatus: CheckStatus, verdict: DnsVerdict, now: number): CheckStatus {
  const { routing, ownership, caa, zone, nameServers } = verdict;
  const proven = routing.verdict === 'yes' && ownership.verdict === 'yes';
  const updated = {
    ...checkStatus,
    checkedAt: now,
    fullyCheckedAt: verdict.isConfirmation ? checkStatus.fullyCheckedAt : now,
    routing: answer(routing.verdict),
    ownership: answer(ownership.verdict),
    caa: answer(caa.verdict),
    corroborated: verdict.corroborated,
    dnssec: dnssecAfter(checkStatus, verdict),
    lastDefinite: definite(verdict) ?? checkStatus.lastDefinite,
    permittedAccounts: permittedAfter(checkStatus, verdict),
    routedBy: routing.by ?? checkStatus.routedBy,
    zone: zone ?? checkStatus.zone,
    nameServers: nameServers.length > 0 ? kept(nameServers) : checkStatus.nameServers,
    successes: proven ? Math.min(proofsToMove, checkStatus.successes + 1) : 0,
    ...caches(checkStatus, verdict, now),
  };
  if (routing.verdict === 'unknown') return { ...updated, unknownSince: checkStatus.unknownSince ?? now };
  if (routing.verdict === 'yes') return { ...updated, failures: 0, failingSince: null, unknownSince: null };
  return {
    ...updated,
    failures: Math.min(failuresToLose, checkStatus.failures + 1),
    failingSince: checkStatus.failingSince ?? now,
    unknownSince: null,
  };
}

/** A check that does not ask the resolvers says nothing about signatures. */
const dnssecAfter = (before: CheckStatus, { dnssec }: DnsVerdict): CheckStatus['dnssec'] => dnssec ?? before.dnssec;

/** A confirmation looks at no CAA. */
const permittedAfter = (
  before: CheckStatus,
  { isConfirmation, permittedAccounts }: DnsVerdict,
): CheckStatus['permittedAccounts'] => (isConfirmation ? before.permittedAccounts : (permittedAccounts ?? null));

/** A zone may name its servers as it likes, and a name of 255 bytes has four times as many characters when escaped. */
const kept = (nameServers: readonly string[]): readonly string[] =>
  nameServers.slice(0, schemaBounds.nameServers).map((name) => clip(name, schemaBounds.nameServer));

/**
 * Answers from before a change outlast it by their TTL at most, counted from the check that saw it. What is wrong may
 * change more than once until it is right, as when somebody lowers the TTL first: the latest end of all counts.
 */
function caches(
  { wrongChain, lingersUntil }: CheckStatus,
  { routing, chain }: DnsVerdict,
  now: number,
): Pick<CheckStatus, 'wrongChain' | 'lingersUntil'> {
  const isMended = routing.verdict === 'yes';
  if (routing.verdict === 'unknown' && wrongChain !== null) return { wrongChain, lingersUntil };
  const seen = chain.map(({ name, ttl }) => ({ name: clip(name, schemaBounds.nameServer), ttl }));
  const seconds = cachedFor(wrongChain ?? [], seen, { isMended });
  const ends = Math.max(lingersUntil ?? 0, seconds === null ? 0 : Math.ceil(now / 1_000 + seconds) * 1_000);
  return { wrongChain: isMended || seen.length === 0 ? null : seen, lingersUntil: ends > now ? ends : null };
}

/** status.check as it is written, without absent values and without what only this process needs. */
export function checkStatusFields(checkStatus: CheckStatus) {
  const {
    checkedAt,
    fullyCheckedAt: _,
    failingSince,
    unknownSince,
    lingersUntil,
    startedAt,
    successes,
    failures,
    ...rest
  } = checkStatus;
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  const times = { failingSince, unknownSince, lingersUntil };
  const written = Object.entries(times).flatMap(([name, at]) => (at === null ? [] : [[name, timestamp(at)] as const]));
  const counted = { startedAt: timestamp(startedAt), successes, failures };
  const checked = checkedAt === null ? {} : { checkedAt: timestamp(checkedAt) };
  return { ...counted, ...checked, ...known, ...Object.fromEntries(written) };
}
