import { findCondition, isTrue } from '../../rules/conditions.ts';
import type { DomainState } from '../../rules/domain-state.ts';
import { undecided } from '../../issuing/request-approval.ts';
import type { CheckStatus } from './check-status.ts';
import { hours, minutes, seconds } from '../../rules/check-schedule.ts';
import { nextDnsCheck } from '../../rules/next-dns-check.ts';
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
  const { verify, checkStatus, now, requests } = snapshot;
  if (!isVerifiable(snapshot)) return false;
  if (verify.kind === 'asked' && verify.fresh) return true;
  const hasOrder = undecided(requests).some((request) => hasTurn(snapshot, request));
  if (hasOrder && !isRecentlyChecked(snapshot)) return true;
  const next = nextCheck(snapshot, checkStatus, snapshot.domain.status?.state);
  return next !== null && next <= now;
}

/** How long a Live domain's ownership and CAA are taken from the last full check. */
const fullCheckEvery = 24 * hours;

/**
 * True when this reconcile's check need only confirm that a Live domain still leads here. Verify, a request that waits
 * for approval, and anything but a yes of the last full check need a full one.
 */
export function canConfirm({
  claimRelation,
  verify,
  checkStatus,
  now,
  requests,
  domain,
}: AssessedProjectDomain): boolean {
  const { routing, ownership, caa, corroborated, fullyCheckedAt } = checkStatus;
  if (claimRelation.kind !== 'Held' || domain.status?.state !== 'Live') return false;
  if (verify.kind === 'asked' || undecided(requests).length > 0) return false;
  if (routing !== 'Yes' || ownership !== 'Yes' || caa !== 'Yes' || corroborated !== true) return false;
  return fullyCheckedAt !== null && now - fullyCheckedAt < fullCheckEvery;
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
  const next = isVerifiable(snapshot) ? nextCheck(snapshot, checkStatus, state) : null;
  return Math.max(now, Math.min(next ?? Number.POSITIVE_INFINITY, now + resync));
}

const nextCheck = (snapshot: AssessedProjectDomain, checks: CheckStatus, state: string | undefined): number | null =>
  nextDnsCheck({
    uid: snapshot.domain.metadata.uid,
    state,
    isHeld: snapshot.claimRelation.kind === 'Held',
    checks,
  });
