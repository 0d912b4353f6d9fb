import type { ProjectDomain } from '../generated/project-domain.ts';
import type { CheckTimes, ScheduledTimes } from './check-schedule.ts';
import { days, driftTimes, seconds, seriesEnds, seriesTimes, intervalOf } from './check-schedule.ts';
import type { DomainState } from './domain-state.ts';
import type { DomainToken } from './domain-token.ts';

export type Answer = 'Yes' | 'No' | 'Unknown';

/**
 * What proves routing, or stands for it: `delegation` that of the challenge name, before the hostname is switched. Only it and `target` can
 * prove ownership without a TXT record.
 */
export type RoutedBy = 'target' | 'addresses' | 'token' | 'delegation';

/** What the schedule needs of status.check; times in milliseconds since the Unix epoch. */
export interface CheckHistory extends CheckTimes {
  readonly failingSince: number | null;
  readonly unknownSince: number | null;
  /** what the last check found; null before the first */
  readonly routing: Answer | null;
  readonly ownership: Answer | null;
  readonly caa: Answer | null;
  /** what proved routing last; null before anything did */
  readonly routedBy: RoutedBy | null;
  /** two name servers at different addresses agree, wherever the zone has two */
  readonly corroborated: boolean | null;
  /** what validating resolvers said when they were last queried */
  readonly dnssec: 'Valid' | 'Bogus' | 'Unchecked' | null;
  /** what the redirector answers for the domain; null while there is no need for it */
  readonly token: DomainToken | null;
}

/** A domain that may be checked, as the operator and the API server both know it. */
export interface ScheduledDomain {
  /** of the ProjectDomain */
  readonly uid: string | undefined;
  readonly state: string | undefined;
  /** this domain holds the hostname's claim */
  readonly isHeld: boolean;
  readonly checks: CheckHistory;
  /** between two checks of a served domain, as driftInterval has it */
  readonly driftInterval: number;
}

/** An RFC 3339 time in milliseconds since the Unix epoch; null without one. */
export const timeOf = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));

/** Reads status.check; the series of a domain that was never checked starts at its creation. */
export function checkHistoryOf({ status, metadata }: ProjectDomain): CheckHistory {
  const { startedAt, checkedAt, failingSince, unknownSince, ...found } = status?.check ?? {};
  const { routing = null, ownership = null, caa = null, routedBy = null } = found;
  const { corroborated = null, dnssec = null, token = null } = found;
  return {
    startedAt: timeOf(startedAt ?? metadata.creationTimestamp) ?? 0,
    checkedAt: timeOf(checkedAt),
    failingSince: timeOf(failingSince),
    unknownSince: timeOf(unknownSince),
    routing,
    ownership,
    caa,
    routedBy,
    corroborated,
    dnssec,
    token,
  };
}

const settled: readonly (string | undefined)[] = ['Live', 'Degraded'] satisfies DomainState[];

const isSettled = ({ isHeld, state }: ScheduledDomain): boolean => isHeld && settled.includes(state);

/**
 * Whoever orders its certificate checks DNS first. Later than after a day the series itself asks less often, and ends. One that is
 * prepared waits for its switch, too, which is to be seen soon.
 */
const onlyWaitsForCertificate = ({ isHeld, state, checks }: ScheduledDomain, now: number): boolean =>
  isHeld &&
  state === ('Verified' satisfies DomainState) &&
  isAllRight(checks) &&
  checks.routedBy !== 'delegation' &&
  checks.dnssec !== 'Bogus' &&
  now - checks.startedAt < days;

/** The last full check said yes to everything that it asked the zone's own servers. */
export const isAllRight = ({
  routing,
  ownership,
  caa,
  corroborated,
}: Pick<CheckHistory, 'routing' | 'ownership' | 'caa' | 'corroborated'>): boolean =>
  routing === 'Yes' && ownership === 'Yes' && caa === 'Yes' && corroborated === true;

/** When a token that was just published can be asked for: the redirector has seen it by then. */
const askAgain = 10 * seconds;

/** The scheduled times of a domain's checks around `now`, in milliseconds since the Unix epoch. */
export function scheduledChecks(domain: ScheduledDomain, now: number): ScheduledTimes {
  const { checks, uid, driftInterval } = domain;
  if (!isSettled(domain) && !onlyWaitsForCertificate(domain, now)) return seriesTimes(checks.startedAt, now);
  const { last, next } = driftTimes(
    shareOf(uid),
    now,
    intervalOf({ failingSince: checks.failingSince, driftInterval }, now),
  );
  const sooner = afterFirstDoubt(checks);
  return {
    last: Math.max(last, ...sooner.filter((at) => at <= now)),
    next: Math.min(next, ...sooner.filter((at) => at > now)),
  };
}

/** True before the first check of a domain, or of its new series: it is due, whatever the schedule says. */
export const isFirstCheckAhead = ({ checkedAt, startedAt }: CheckTimes): boolean =>
  checkedAt === null || checkedAt < startedAt;

/**
 * When DNS is checked next without a Verify, milliseconds since the Unix epoch: a time in the past is due. Null once the
 * series has ended.
 */
export const nextDnsCheck = (domain: ScheduledDomain, now: number): number | null =>
  isFirstCheckAhead(domain.checks) ? domain.checks.startedAt : scheduledChecks(domain, now).next;

/**
 * When the automatic checks end, milliseconds since the Unix epoch; null for a domain that is checked for ever. Those of
 * a domain that was served until it was suspended ended with its last check, long after its series.
 */
export function checksEnd(domain: ScheduledDomain): number | null {
  if (isSettled(domain)) return null;
  const { state, checks } = domain;
  return Math.max(seriesEnds(checks), state === 'Suspended' ? (checks.checkedAt ?? 0) : 0);
}

/** The first check that did not say yes found a foreign address: soon after it the next one may ask for the token. */
const afterFirstDoubt = ({ token, failingSince, unknownSince }: CheckHistory): readonly number[] =>
  token === null ? [] : [failingSince, unknownSince].flatMap((since) => (since === null ? [] : [since + askAgain]));

/** A number in [0, 1) derived from the object's uid, so that many domains are not checked at the same time. */
export function shareOf(uid: string | undefined): number {
  return Number.parseInt((uid ?? '0').slice(0, 8), 16) / 2 ** 32 || 0;
}
