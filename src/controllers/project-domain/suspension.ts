import { findCondition } from '../../rules/conditions.ts';
import { isMassFailure } from '../../rules/domain-state.ts';
import type { Finding } from '../../rules/conditions.ts';
import { days } from './check-schedule.ts';
import type { ProjectDomainSnapshot } from './project-domain-snapshot.ts';

const grace = 7 * days;

/** Set by an administrator on the HostnameClaim; its value says why. */
export const suspendAnnotation = 'projectdomain.io/suspend';

/**
 * Why a held domain must not be served any longer, or null. Losing DNS or the plan gives seven days of grace, counted
 * from the condition's transition; an administrator's word counts at once. Unknown never suspends, and nobody is while
 * very many domains fail at once.
 */
export function suspension(snapshot: ProjectDomainSnapshot, dns: Finding): string | null {
  const { claim, claimRelation, accepted } = snapshot;
  if (claimRelation.kind !== 'Held') return null;
  const word = claim?.metadata.annotations?.[suspendAnnotation];
  if (word !== undefined) return `suspended by an administrator: ${word}`;
  if (isSpared(snapshot)) return null;
  if (isOverGrace(snapshot, 'DNSVerified', dns)) return `DNS has led elsewhere for seven days: ${dns.message}`;
  if (isOverGrace(snapshot, 'Accepted', accepted)) return `not allowed for seven days: ${accepted.message}`;
  return null;
}

/** When grace ends, for the revisit; null when nothing is running out any more. */
export function graceEnds(snapshot: ProjectDomainSnapshot): number | null {
  if (isSpared(snapshot)) return null;
  const falseSince = ['Accepted', 'DNSVerified'].flatMap((type) => {
    const condition = findCondition(snapshot.domain.status?.conditions, type);
    return condition?.status === 'False' ? [Date.parse(condition.lastTransitionTime) + grace] : [];
  });
  const ahead = falseSince.filter((time) => time > snapshot.now);
  return ahead.length === 0 ? null : Math.min(...ahead);
}

/** What is suspended already does not come back by it. */
const isSpared = ({ domain, failureCounts }: ProjectDomainSnapshot): boolean =>
  domain.status?.state !== 'Suspended' && isMassFailure(failureCounts);

function isOverGrace({ domain, now }: ProjectDomainSnapshot, type: string, finding: Finding): boolean {
  const before = findCondition(domain.status?.conditions, type);
  if (finding.status !== 'False' || before?.status !== 'False') return false;
  return now - Date.parse(before.lastTransitionTime) >= grace;
}
