import { findCondition } from '../../rules/conditions.ts';
import { isMassFailure } from '../../rules/domain-state.ts';
import type { Finding } from '../../rules/conditions.ts';
import { days } from '../../rules/check-schedule.ts';
import { suspendedBecause } from '../../rules/claim-suspension.ts';
import type { ProjectDomainSnapshot } from './project-domain-snapshot.ts';

const grace = 7 * days;

/**
 * Why a held domain must no longer be served, or null. After losing DNS or its plan it has seven days of grace, counted
 * from the condition's transition; an administrator's annotation takes effect at once, and so does the
 * deletion of what it stands on. Unknown never suspends, and
 * during a mass failure no domain is suspended.
 */
export function suspension(snapshot: ProjectDomainSnapshot, dns: Finding): string | null {
  const { domain, claim, claimAbove, suspendedBelow, claimRelation, accepted, leaving } = snapshot;
  if (claimRelation.kind !== 'Held') return null;
  if (leaving !== null) return leaving;
  const claims = { claim, claimAbove, suspendedBelow: suspendedBelow.length };
  const why = suspendedBecause(domain.spec.hostname, claims);
  if (why !== null) return why;
  if (isSpared(snapshot)) return null;
  if (isOverGrace(snapshot, 'DNSVerified', dns))
    return `the hostname has pointed somewhere else for seven days: ${dns.message}`;
  if (isOverGrace(snapshot, 'Accepted', accepted)) return `not allowed for seven days: ${accepted.message}`;
  return null;
}

/** When the grace period ends, for the requeue, milliseconds since the Unix epoch; null when none is running. */
export function graceEnds(snapshot: ProjectDomainSnapshot): number | null {
  if (isSpared(snapshot)) return null;
  const falseSince = ['Accepted', 'DNSVerified'].flatMap((type) => {
    const condition = findCondition(snapshot.domain.status?.conditions, type);
    return condition?.status === 'False' ? [Date.parse(condition.lastTransitionTime) + grace] : [];
  });
  const ahead = falseSince.filter((time) => time > snapshot.now);
  return ahead.length === 0 ? null : Math.min(...ahead);
}

/** A mass failure spares domains that are still served; one that is already suspended does not come back because of it. */
const isSpared = ({ domain, failureCounts }: ProjectDomainSnapshot): boolean =>
  domain.status?.state !== 'Suspended' && isMassFailure(failureCounts);

function isOverGrace({ domain, now }: ProjectDomainSnapshot, type: string, finding: Finding): boolean {
  const before = findCondition(domain.status?.conditions, type);
  if (finding.status !== 'False' || before?.status !== 'False') return false;
  return now - Date.parse(before.lastTransitionTime) >= grace;
}
