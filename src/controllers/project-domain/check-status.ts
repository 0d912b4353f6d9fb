import { timestamp } from '../../rules/conditions.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { DomainToken } from '../../rules/domain-token.ts';
import type { DnsVerdict, RoutedBy } from '../../dns/verdict/dns-verdict.ts';
import { schemaBounds, clip } from '../../resources/object-limits.ts';

type Answer = 'Yes' | 'No' | 'Unknown';

/**
 * What earlier checks found, kept in status.check, because past observations cannot be read from the cluster again.
 * Times are milliseconds since the Unix epoch.
 */
export interface CheckStatus {
  readonly startedAt: number;
  readonly checkedAt: number | null;
  /** when routing, ownership and CAA were last checked together */
  readonly fullyCheckedAt: number | null;
  /** value of the verify annotation that was processed last */
  readonly verifySeen: string | null;
  readonly routing: Answer | null;
  readonly ownership: Answer | null;
  readonly caa: Answer | null;
  /** two name servers at different addresses agree, wherever the zone has two */
  readonly corroborated: boolean | null;
  /** what validating resolvers said when they were last queried */
  readonly dnssec: 'Valid' | 'Bogus' | 'Unchecked' | null;
  /** since when resolvers say bogus although the zones' own servers show no fault */
  readonly faultlessSince: number | null;
  /** the last answer to routing, ownership and CAA together that was not Unknown */
  readonly lastDefinite: 'Yes' | 'No' | null;
  readonly routedBy: RoutedBy | null;
  /** as published: the redirector answers with it; null while there is no need for it */
  readonly token: DomainToken | null;
  readonly zone: string | null;
  /** names of the zone's name servers, sorted */
  readonly nameServers: readonly string[] | null;
  /** checks in a row that proved routing and ownership; needed for contested names */
  readonly successes: number;
  /** checks in a row whose routing verdict was no; and since when */
  readonly failures: number;
  readonly failingSince: number | null;
  readonly unknownSince: number | null;
  /** how long caches may keep what is wrong at the hostname: the largest TTL seen since it was last right; seconds */
  readonly wrongTtl: number | null;
  /** until when caches may still give what was there before; null if they do not */
  readonly lingersUntil: number | null;
}

const neverChecked = {
  verifySeen: null,
  routing: null,
  ownership: null,
  caa: null,
  corroborated: null,
  dnssec: null,
  lastDefinite: null,
  routedBy: null,
  token: null,
  zone: null,
  nameServers: null,
  wrongTtl: null,
  successes: 0,
  failures: 0,
};

const parse = (time: string | undefined): number | null => (time === undefined ? null : Date.parse(time));

/** Reads status.check; the series of a domain that was never checked starts at its creation. */
export function readCheckStatus({ status, metadata }: ProjectDomain): CheckStatus {
  const { startedAt, checkedAt, fullyCheckedAt, faultlessSince, failingSince, unknownSince, lingersUntil, ...rest } =
    status?.check ?? {};
  return {
    ...neverChecked,
    ...rest,
    startedAt: parse(startedAt ?? metadata.creationTimestamp) ?? 0,
    checkedAt: parse(checkedAt),
    fullyCheckedAt: parse(fullyCheckedAt),
    faultlessSince: parse(faultlessSince),
    failingSince: parse(failingSince),
    unknownSince: parse(unknownSince),
    lingersUntil: parse(lingersUntil),
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
    ...dnssecAfter(checkStatus, verdict, now),
    lastDefinite: definite(verdict) ?? checkStatus.lastDefinite,
    routedBy: routing.by ?? checkStatus.routedBy,
    zone: zone ?? checkStatus.zone,
    nameServers: nameServers.length > 0 ? kept(nameServers) : checkStatus.nameServers,
    successes: proven ? checkStatus.successes + 1 : 0,
    ...caches(checkStatus, verdict, now),
  };
  if (routing.verdict === 'unknown') return { ...updated, unknownSince: checkStatus.unknownSince ?? now };
  if (routing.verdict === 'yes') return { ...updated, failures: 0, failingSince: null, unknownSince: null };
  return {
    ...updated,
    failures: checkStatus.failures + 1,
    failingSince: checkStatus.failingSince ?? now,
    unknownSince: null,
  };
}

/** A zone may name its servers as it likes, and a name of 255 bytes has four times as many characters when escaped. */
const kept = (nameServers: readonly string[]): readonly string[] =>
  nameServers.slice(0, schemaBounds.nameServers).map((name) => clip(name, schemaBounds.nameServer));

/** The cached answers of before outlast the change by their TTL at most, counted from the check that saw it. */
function caches(
  { wrongTtl, lingersUntil }: CheckStatus,
  verdict: DnsVerdict,
  now: number,
): Pick<CheckStatus, 'wrongTtl' | 'lingersUntil'> {
  if (verdict.routing.verdict !== 'yes') {
    const seen = [wrongTtl, verdict.wrongTtl].filter((ttl) => ttl !== null);
    return { wrongTtl: seen.length === 0 ? null : Math.max(...seen), lingersUntil: null };
  }
  if (wrongTtl !== null) return { wrongTtl: null, lingersUntil: now + wrongTtl * 1_000 };
  return { wrongTtl: null, lingersUntil: lingersUntil !== null && lingersUntil > now ? lingersUntil : null };
}

/**
 * A check that does not ask the resolvers, or that they do not answer, says nothing about the zones' faults either; but
 * after the hostname led elsewhere, what was seen before says nothing about now.
 */
function dnssecAfter(
  before: CheckStatus,
  { dnssec, isFaultless, routing }: DnsVerdict,
  now: number,
): Pick<CheckStatus, 'dnssec' | 'faultlessSince'> {
  if (dnssec === undefined && routing.verdict === 'no') return { dnssec: before.dnssec, faultlessSince: null };
  if (dnssec === undefined) return { dnssec: before.dnssec, faultlessSince: before.faultlessSince };
  if (isFaultless) return { dnssec, faultlessSince: before.faultlessSince ?? now };
  return { dnssec, faultlessSince: dnssec === 'Unchecked' ? before.faultlessSince : null };
}

/** status.check as it is written, without absent values. */
export function checkStatusFields(checkStatus: CheckStatus) {
  const {
    checkedAt,
    fullyCheckedAt,
    faultlessSince,
    failingSince,
    unknownSince,
    lingersUntil,
    startedAt,
    successes,
    failures,
    ...rest
  } = checkStatus;
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  const times = { checkedAt, fullyCheckedAt, faultlessSince, failingSince, unknownSince, lingersUntil };
  const written = Object.entries(times).flatMap(([name, at]) => (at === null ? [] : [[name, timestamp(at)] as const]));
  return { startedAt: timestamp(startedAt), successes, failures, ...known, ...Object.fromEntries(written) };
}
