import type { ProjectDomain } from '../generated/project-domain.ts';
import { verifyAnnotation } from '../resources/object-metadata.ts';
import { minutes, intervalOf } from '../rules/check-schedule.ts';
import { findCondition, isTrue, timestamp } from '../rules/conditions.ts';
import type { ClaimRelation } from '../rules/hostname-claims.ts';
import type { ScheduledDomain } from '../rules/next-dns-check.ts';
import { checkHistoryOf, checksEnd, nextDnsCheck } from '../rules/next-dns-check.ts';
import { isVerifyAhead } from '../rules/verify-request.ts';

/** When DNS is checked without a Verify, by the operator's own schedule; RFC 3339. */
export interface AutomaticChecks {
  /** null while a check is under way or none is planned: a Pending domain, or a series that has ended */
  readonly nextCheckAt: string | null;
  /** when the series of checks ends, or ended; null for a domain that is checked for as long as it is served */
  readonly checksEndAt: string | null;
}

const none: AutomaticChecks = Object.freeze({ nextCheckAt: null, checksEndAt: null });

/** Milliseconds: since the Unix epoch, and between two DNS checks of a served domain. */
interface Moment {
  readonly now: number;
  readonly driftInterval: number;
}

/** What the schedule of a domain depends on beside the time and the interval of all. */
export interface CheckPlan {
  readonly scheduled: Omit<ScheduledDomain, 'driftInterval'>;
  /** the Verify annotation, and which one was processed last */
  readonly asked: string | undefined;
  readonly seen: string | null;
}

/** Null for a domain that is not checked. */
export function checkPlanOf(domain: ProjectDomain, { kind: relation }: ClaimRelation): CheckPlan | null {
  const { metadata, status } = domain;
  const isHeld = relation === 'Held';
  if (!isChecked(domain, isHeld)) return null;
  return {
    scheduled: { uid: metadata.uid, state: status?.state, isHeld, checks: checkHistoryOf(domain) },
    asked: metadata.annotations?.[verifyAnnotation],
    seen: status?.check?.verifySeen ?? null,
  };
}

/** The schedule of a domain as its status has it. */
export function automaticChecks(plan: CheckPlan | null, { now, driftInterval }: Moment): AutomaticChecks {
  if (plan === null) return none;
  const scheduled = { ...plan.scheduled, driftInterval };
  const next = isVerifyAhead(plan.asked, plan.seen) ? null : nextDnsCheck(scheduled, now);
  return {
    nextCheckAt: next !== null && next > now ? rounded(next) : null,
    checksEndAt: rounded(checksEnd(scheduled)),
  };
}

/** Minutes between two checks of a served domain. */
export const checkEveryMinutes = (domain: ProjectDomain, { now, driftInterval }: Moment): number => {
  const { failingSince } = checkHistoryOf(domain);
  return intervalOf({ failingSince, driftInterval }, now) / minutes;
};

/** The operator checks what it accepted, and what is held. */
function isChecked({ metadata, status }: ProjectDomain, isHeld: boolean): boolean {
  if (!status?.state || status.state === 'Pending' || metadata.deletionTimestamp) return false;
  return isHeld || isTrue(findCondition(status.conditions, 'Accepted'));
}

/** The second in which it has passed, so that what is announced is never in the past. */
const rounded = (ms: number | null): string | null => (ms === null ? null : timestamp(Math.ceil(ms / 1_000) * 1_000));
