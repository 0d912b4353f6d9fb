import type { ProjectDomain } from '../generated/project-domain.ts';
import { verifyAnnotation } from '../resources/object-metadata.ts';
import { minutes } from '../rules/check-schedule.ts';
import { intervalOf } from '../rules/drift-interval.ts';
import { findCondition, isTrue, timestamp } from '../rules/conditions.ts';
import type { ClaimRelation } from '../rules/hostname-claims.ts';
import type { ScheduledDomain } from '../rules/next-dns-check.ts';
import { checkHistoryOf, checksEnd, nextDnsCheck } from '../rules/next-dns-check.ts';
import { verifyRequest } from '../rules/verify-request.ts';
import type { ApiDependencies } from './api-dependencies.ts';

/** When DNS is checked without a Verify, by the operator's own schedule; RFC 3339. */
export interface AutomaticChecks {
  /** null while a check is under way or none is planned: a Pending domain, or a series that has ended */
  readonly nextCheckAt: string | null;
  /** when the series of checks ends, or ended; null for a domain that is checked for as long as it is served */
  readonly checksEndAt: string | null;
}

const none: AutomaticChecks = Object.freeze({ nextCheckAt: null, checksEndAt: null });

/** The schedule of a domain as its status has it. */
export function automaticChecks(
  domain: ProjectDomain,
  { kind: relation }: ClaimRelation,
  { now, driftInterval }: Pick<ApiDependencies, 'now' | 'driftInterval'>,
): AutomaticChecks {
  const { metadata, status } = domain;
  const isHeld = relation === 'Held';
  if (!isChecked(domain, isHeld)) return none;
  const scheduled: ScheduledDomain = {
    uid: metadata.uid,
    state: status?.state,
    isHeld,
    checks: checkHistoryOf(domain),
    driftInterval: driftInterval(),
  };
  const asked = now();
  const next = isVerifyAhead(domain, asked) ? null : nextDnsCheck(scheduled, asked);
  return {
    nextCheckAt: next !== null && next > asked ? rounded(next) : null,
    checksEndAt: rounded(checksEnd(scheduled)),
  };
}

/** Minutes between two checks of a served domain. */
export const checkEveryMinutes = (
  domain: ProjectDomain,
  { now, driftInterval }: Pick<ApiDependencies, 'now' | 'driftInterval'>,
): number => {
  const { failingSince } = checkHistoryOf(domain);
  return intervalOf({ failingSince, driftInterval: driftInterval() }, now()) / minutes;
};

/** The operator checks what it accepted, and what is held. */
function isChecked({ metadata, status }: ProjectDomain, isHeld: boolean): boolean {
  if (!status?.state || status.state === 'Pending' || metadata.deletionTimestamp) return false;
  return isHeld || isTrue(findCondition(status.conditions, 'Accepted'));
}

/** Somebody asked for a check that has not finished. */
const isVerifyAhead = ({ metadata, status }: ProjectDomain, now: number): boolean =>
  verifyRequest(metadata.annotations?.[verifyAnnotation], status?.check?.verifySeen ?? null, now).kind === 'asked';

/** The second in which it has passed, so that what is announced is never in the past. */
const rounded = (ms: number | null): string | null => (ms === null ? null : timestamp(Math.ceil(ms / 1_000) * 1_000));
