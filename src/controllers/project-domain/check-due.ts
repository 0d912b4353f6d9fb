import { isTrue } from '../../rules/conditions.ts';
import type { DomainState } from '../../rules/domain-state.ts';
import { isUnplaced } from '../../issuing/order-history.ts';
import type { CheckStatus } from './check-status.ts';
import type { ScheduledTimes } from '../../rules/check-schedule.ts';
import { driftTimes, fullCheckTimes, hours, minutes, seconds, driftInterval } from '../../rules/check-schedule.ts';
import type { ScheduledDomain } from '../../rules/next-dns-check.ts';
import { isAllRight, isFirstCheckAhead, scheduledChecks, shareOf } from '../../rules/next-dns-check.ts';
import type {
  AssessedProjectDomain,
  EvaluatedProjectDomain,
  GatheredProjectDomain,
  ProjectDomainSnapshot,
} from './project-domain-snapshot.ts';
import { isUnchecked } from './own-certificate/own-use.ts';
import { freshFor, isRecentlyChecked } from './steps/order-permission.ts';
import type { RecentCheck } from './recent-checks.ts';
import { verifyCheckAt } from '../../rules/verify-request.ts';
import { hasAnswered } from './lost-route.ts';
import { expectedCertificate, isSwitching } from './served-certificate.ts';
import { isForeign, isToldForeign } from './steps/foreign-certificate.ts';
import { hasTurn } from '../approve-order.ts';

/** At the soonest, while DNS may not be checked. */
const orderCheckAgain = 10 * seconds;
/**
 * When a route that does not answer yet is probed again: after a part of the time that it has not. Ingress controllers follow within moments,
 * most of the time, and one that answers for nobody is not to be asked by everybody every second.
 */
const probeAgain = { part: 1 / 4, atLeast: 0.2 * seconds, atMost: 1 * minutes };
/** The longest time between two checks while a request waits for an answer. It goes into a day without a remainder. */
const whileRequestWaits = 1 * hours;
/** Longest time until the next reconcile, as an event of another object may have been missed. */
const resync = 30 * minutes;
/** The same for a settled domain, whose checks do not reconcile it. */
const settledResync = 2 * hours;

/** True when DNS may be checked for the domain at all. Pending domains are not checked. */
export const isVerifiable = ({ target, ownership, claimRelation, accepted }: AssessedProjectDomain): boolean =>
  target !== null && ownership !== null && (claimRelation.kind === 'Held' || isTrue(accepted));

/** True when this reconcile must check DNS. Verify and an order that may be placed cause a check at once. */
export function isCheckDue(snapshot: AssessedProjectDomain): boolean {
  const { verify, checkStatus } = snapshot;
  if (!isVerifiable(snapshot)) return false;
  const askedFor = verifyCheckAt(verify, checkStatus.checkedAt);
  if (askedFor !== null && askedFor <= snapshot.now) return true;
  if (waitsForCheck(snapshot) && !isRecentlyChecked(snapshot)) return true;
  if (hasRequestWithTurn(snapshot) && turnCheckAt(checkStatus) <= snapshot.now) return true;
  return isOverdue(snapshot, scheduled(snapshot, checkStatus, snapshot.domain.status?.state));
}

/**
 * An approved order that is not placed yet waits for a check that permits it: not before the time that its authority named, and no more
 * often than usual once DNS has said no.
 */
function waitsForCheck({ claim, requests, now, checkStatus }: GatheredProjectDomain): boolean {
  const { routing, ownership, caa } = checkStatus;
  if ([routing, ownership, caa].includes('No')) return false;
  const orders = claim?.spec.orders ?? [];
  return orders.some((order) => isUnplaced(order, requests) && !(Date.parse(order.waitsUntil ?? '') > now));
}

const hasRequestWithTurn = (snapshot: AssessedProjectDomain): boolean =>
  snapshot.openRequests.some((request) => hasTurn(snapshot, request));

/**
 * When a request that has its turn needs another check than the last one: a turn is short, and one packet that was lost must not cost it,
 * so after a check that could not tell the next one is not far.
 */
const turnCheckAt = (checks: CheckStatus): number =>
  (checks.fullyCheckedAt ?? 0) + (isUncertain(checks) ? orderCheckAgain : freshFor);

/** When an order needs another check, milliseconds since the Unix epoch; null where none does. */
export function orderCheckAt(snapshot: EvaluatedProjectDomain): number | null {
  const { now, checks } = snapshot;
  const times = [
    ...(waitsForCheck({ ...snapshot, checkStatus: checks }) ? [(checks.fullyCheckedAt ?? 0) + freshFor] : []),
    ...(isUncertain(checks) && hasRequestWithTurn(snapshot) ? [turnCheckAt(checks)] : []),
  ];
  return times.length === 0 ? null : Math.max(now + orderCheckAgain, Math.min(...times));
}

/** True when a scheduled time has come since the last check, or since this process leads. */
export function isOverdue({ leadingSince, now }: Moment, domain: ScheduledDomain): boolean {
  const { checks } = domain;
  if (isFirstCheckAhead(checks)) return true;
  const { last } = timesOf(domain, { leadingSince, now });
  return last !== null && last > Math.max(checks.checkedAt ?? 0, leadingSince);
}

export interface Moment {
  readonly leadingSince: number;
  readonly now: number;
}

/**
 * The scheduled times around now. Whoever begins to lead does not know which checks were missed, and makes none up at once:
 * an unverified domain, whose next one may be an hour away, is then checked when a served one would be.
 */
export function timesOf(domain: ScheduledDomain, { leadingSince, now }: Moment): ScheduledTimes {
  const times = scheduledChecks(domain, now);
  if ((domain.checks.checkedAt ?? 0) >= leadingSince || times.next === null) return times;
  const soon = driftTimes(shareOf(domain.uid), now, domain.driftInterval);
  return { last: Math.max(times.last ?? 0, soon.last), next: Math.min(times.next, soon.next) };
}

/**
 * True when this reconcile's check need only confirm that a Live domain still leads here. Verify, a request that waits
 * for approval, anything but a yes of the last full check, a routing class that it is leaving, and the time of the daily full check need a full one.
 */
export function canConfirm(snapshot: AssessedProjectDomain): boolean {
  const { claimRelation, verify, checkStatus, leadingSince, now, openRequests, domain } = snapshot;
  const { fullyCheckedAt } = checkStatus;
  if (claimRelation.kind !== 'Held' || domain.status?.state !== 'Live') return false;
  if (verify.kind === 'asked' || openRequests.length > 0 || waitsForCheck(snapshot)) return false;
  if (snapshot.classes.former.length > 0) return false;
  if (!isAllRight(checkStatus)) return false;
  return fullCheckTimes(shareOf(domain.metadata.uid), now).last <= Math.max(fullyCheckedAt ?? 0, leadingSince);
}

/**
 * Until when a check of a Live domain that finds the same leaves nothing to decide, milliseconds since the Unix epoch: its full
 * check, and `otherwiseAt`, when something else becomes due, end that. null while anything is under way.
 */
export function settledUntil(snapshot: EvaluatedProjectDomain, otherwiseAt: number | null): number | null {
  const { now, domain, checks: checkStatus, certManagerUnavailable = false } = snapshot;
  const isAtRest = checkStatus.token === null && checkStatus.failures === 0 && checkStatus.unknownSince === null;
  if (certManagerUnavailable || !isAtRest || !canConfirm({ ...snapshot, checkStatus })) return null;
  const { next } = fullCheckTimes(shareOf(domain.metadata.uid), now);
  return Math.min(now + settledResync, next, otherwiseAt ?? Number.POSITIVE_INFINITY);
}

/**
 * True when a reconcile of a domain in `state` must probe the route. Once it has answered, it is not probed again until it names another
 * Secret, or was missing.
 */
export function isProbeDue(assessed: AssessedProjectDomain, state = assessed.domain.status?.state): boolean {
  const { claimRelation, route } = assessed;
  const isServing = route?.backend !== undefined && state !== 'Suspended';
  const isAskable = isServing && expectedCertificate(assessed) !== null;
  const isSettled = hasAnswered(assessed) && assessed.routeLostAt === null;
  return claimRelation.kind === 'Held' && isAskable && (!isSettled || isSwitching(assessed));
}

/**
 * True when this reconcile must look at what a hostname that has answered shows its visitors: with each of its checks, once a certificate of the customer's own has to
 * be seen, and while it shows one that is not its own.
 */
export function isLookDue(assessed: AssessedProjectDomain): boolean {
  const { claimRelation, route, domain } = assessed;
  const isServing = route?.backend !== undefined && domain.status?.state !== 'Suspended';
  if (claimRelation.kind !== 'Held' || !isServing || isProbeDue(assessed)) return false;
  if (expectedCertificate(assessed) === null) return false;
  return assessed.unansweredSince !== null || isToldForeign(assessed) || isUnchecked(assessed) || isCheckDue(assessed);
}

/** Since when the route is probed without an answer, or answers with another's certificate, this reconcile's probe included; null where it answers, or none is due in `state`. */
export function unansweredSince(snapshot: ProjectDomainSnapshot, state: DomainState): number | null {
  const { probe, now } = snapshot;
  if (probe?.ok) return null;
  if (isProbeDue(snapshot, state)) return snapshot.unansweredSince ?? now;
  if (isForeign(probe)) return snapshot.unansweredSince ?? now;
  return probe === null ? null : snapshot.unansweredSince;
}

/** After this time nobody is expected to watch any more how a route comes to answer. */
const awaitedFor = 10 * minutes;

/** The route has just been made, and is the last that its domain waits for. */
export const isProbeAwaited = (
  { unansweredSince: since }: Pick<RecentCheck, 'unansweredSince'>,
  now: number,
): boolean => since !== null && now - since < awaitedFor;

function nextProbeAt(since: number, now: number): number {
  const { part, atLeast, atMost } = probeAgain;
  return now + Math.min(Math.max((now - since) * part, atLeast), atMost);
}

/** When a Verify that joined has its check, milliseconds since the Unix epoch; null where none waits for one after this reconcile. */
function verifyAheadAt(snapshot: ProjectDomainSnapshot): number | null {
  const { verify, verdict, checkStatus } = snapshot;
  return verdict === null && isVerifiable(snapshot) ? verifyCheckAt(verify, checkStatus.checkedAt) : null;
}

/** When this domain must be reconciled again if no event comes first, milliseconds since the Unix epoch. */
export function nextReconcileAt(
  snapshot: ProjectDomainSnapshot,
  state: DomainState,
  {
    nextAt,
    settledUntil: settled,
    unansweredSince: since,
  }: Pick<RecentCheck, 'nextAt' | 'settledUntil' | 'unansweredSince'>,
): number {
  const { now } = snapshot;
  if (state === 'Pending') return now + resync;
  const otherwiseAt = since === null ? (settled ?? now + resync) : nextProbeAt(since, now);
  const verifyAt = verifyAheadAt(snapshot);
  return Math.max(now, Math.min(nextAt ?? Number.POSITIVE_INFINITY, verifyAt ?? Number.POSITIVE_INFINITY, otherwiseAt));
}

/** When DNS is checked next, milliseconds since the Unix epoch; null when it is not, before a Verify or an order. */
export function nextDnsCheckAt(snapshot: EvaluatedProjectDomain, state: DomainState): number | null {
  if (state === 'Pending' || !isVerifiable(snapshot)) return null;
  const domain = scheduled(snapshot, snapshot.checks, state);
  return isOverdue(snapshot, domain) ? snapshot.now : timesOf(domain, snapshot).next;
}

function scheduled(snapshot: AssessedProjectDomain, checks: CheckStatus, state: string | undefined): ScheduledDomain {
  const { domain, claimRelation, failureCounts, settings } = snapshot;
  const interval = driftInterval({ ...failureCounts, ...settings });
  return {
    uid: domain.metadata.uid,
    state,
    isHeld: claimRelation.kind === 'Held',
    checks,
    driftInterval: waitsForAnswer(snapshot, checks) ? Math.min(interval, whileRequestWaits) : interval,
  };
}

/**
 * A request waits for an answer that the last check could not give, as after an outage of the name servers: where there are very many
 * domains, the next check would come hours later, and the renewal after the time that its authority suggested.
 */
const waitsForAnswer = ({ openRequests }: AssessedProjectDomain, checks: CheckStatus): boolean =>
  isUncertain(checks) && openRequests.length > 0;

/** The last full check said neither yes nor no. */
const isUncertain = (checks: CheckStatus): boolean =>
  ![checks.routing, checks.ownership, checks.caa].includes('No') && !isAllRight(checks);
