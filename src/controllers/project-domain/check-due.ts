import { findCondition, isTrue } from '../../rules/conditions.ts';
import type { DomainState } from '../../rules/domain-state.ts';
import { undecided } from '../../issuing/request-approval.ts';
import type { CheckStatus } from './check-status.ts';
import type { ScheduledTimes } from '../../rules/check-schedule.ts';
import { driftTimes, fullCheckTimes, minutes, seconds } from '../../rules/check-schedule.ts';
import { driftInterval } from '../../rules/drift-interval.ts';
import type { ScheduledDomain } from '../../rules/next-dns-check.ts';
import { isFirstCheckAhead, scheduledChecks, shareOf } from '../../rules/next-dns-check.ts';
import type { AssessedProjectDomain, GatheredProjectDomain, ProjectDomainSnapshot } from './project-domain-snapshot.ts';
import { isRecentlyChecked } from './steps/order-evidence.ts';
import { hasTurn } from './steps/request-step.ts';

/** When a route that does not answer yet is probed again. */
const probeAgain = 1 * seconds;
/** Longest time until the next reconcile, as an event of another object may have been missed. */
const resync = 30 * minutes;

/** True when DNS may be checked for the domain at all. Pending domains are not checked. */
export const isVerifiable = ({ target, ownership, claimRelation, accepted }: AssessedProjectDomain): boolean =>
  target !== null && ownership !== null && (claimRelation.kind === 'Held' || isTrue(accepted));

/** True when this reconcile must check DNS. Verify and an order that may be placed cause a check at once. */
export function isCheckDue(snapshot: AssessedProjectDomain): boolean {
  const { verify, checkStatus, requests } = snapshot;
  if (!isVerifiable(snapshot)) return false;
  if (verify.kind === 'asked' && verify.fresh) return true;
  const hasOrder = undecided(requests).some((request) => hasTurn(snapshot, request));
  if (hasOrder && !isRecentlyChecked(snapshot)) return true;
  return isOverdue(snapshot, scheduled(snapshot, checkStatus, snapshot.domain.status?.state));
}

/** True when a scheduled time has come since the last check, or since this process leads. */
function isOverdue({ leadingSince, now }: AssessedProjectDomain, domain: ScheduledDomain): boolean {
  const { checks } = domain;
  if (isFirstCheckAhead(checks)) return true;
  const { last } = timesOf(domain, { leadingSince, now });
  return last !== null && last > Math.max(checks.checkedAt ?? 0, leadingSince);
}

interface Moment {
  readonly leadingSince: number;
  readonly now: number;
}

/**
 * The scheduled times around now. Whoever begins to lead does not know which checks were missed, and makes none up at once:
 * an unverified domain, whose next one may be an hour away, is then checked when a served one would be.
 */
function timesOf(domain: ScheduledDomain, { leadingSince, now }: Moment): ScheduledTimes {
  const times = scheduledChecks(domain, now);
  if ((domain.checks.checkedAt ?? 0) >= leadingSince || times.next === null) return times;
  const soon = driftTimes(shareOf(domain.uid), now, domain.driftInterval);
  return { last: Math.max(times.last ?? 0, soon.last), next: Math.min(times.next, soon.next) };
}

/**
 * True when this reconcile's check need only confirm that a Live domain still leads here. Verify, a request that waits
 * for approval, anything but a yes of the last full check, and the time of the daily full check need a full one.
 */
export function canConfirm({
  claimRelation,
  verify,
  checkStatus,
  leadingSince,
  now,
  requests,
  domain,
}: AssessedProjectDomain): boolean {
  const { routing, ownership, caa, corroborated, fullyCheckedAt } = checkStatus;
  if (claimRelation.kind !== 'Held' || domain.status?.state !== 'Live') return false;
  if (verify.kind === 'asked' || undecided(requests).length > 0) return false;
  if (routing !== 'Yes' || ownership !== 'Yes' || caa !== 'Yes' || corroborated !== true) return false;
  return fullCheckTimes(shareOf(domain.metadata.uid), now).last <= Math.max(fullyCheckedAt ?? 0, leadingSince);
}

/** True when this reconcile must probe the route. Once it has answered, it is not probed again. */
export function isProbeDue({ claimRelation, certificate, route, domain }: GatheredProjectDomain): boolean {
  const issued = isTrue(findCondition(certificate?.status?.conditions, 'Ready'));
  const answered = isTrue(findCondition(domain.status?.conditions, 'Routed'));
  return claimRelation.kind === 'Held' && issued && route !== undefined && !answered;
}

/** When this domain must be reconciled again if no event comes first, milliseconds since the Unix epoch. */
export function nextCheckAt(snapshot: ProjectDomainSnapshot, checkStatus: CheckStatus, state: DomainState): number {
  const { now } = snapshot;
  if (state === 'Pending') return now + resync;
  if (isProbeDue(snapshot) && !snapshot.probe?.ok) return now + probeAgain;
  const next = nextDnsCheckAt(snapshot, checkStatus, state) ?? Number.POSITIVE_INFINITY;
  return Math.max(now, Math.min(next, now + resync));
}

/** When DNS is checked next, milliseconds since the Unix epoch; null when it is not, before a Verify or an order. */
export function nextDnsCheckAt(
  snapshot: ProjectDomainSnapshot,
  checkStatus: CheckStatus,
  state: DomainState,
): number | null {
  if (state === 'Pending' || !isVerifiable(snapshot)) return null;
  const domain = scheduled(snapshot, checkStatus, state);
  return isOverdue(snapshot, domain) ? snapshot.now : timesOf(domain, snapshot).next;
}

const scheduled = (
  { domain, claimRelation, failureCounts, settings }: AssessedProjectDomain,
  checks: CheckStatus,
  state: string | undefined,
): ScheduledDomain => ({
  uid: domain.metadata.uid,
  state,
  isHeld: claimRelation.kind === 'Held',
  checks,
  driftInterval: driftInterval({ ...failureCounts, ...settings }),
});
