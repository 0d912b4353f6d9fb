import type { RecentCheck, RecentChecks } from '../controllers/project-domain/recent-checks.ts';
import { createRecentChecks } from '../controllers/project-domain/recent-checks.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Store } from '../kubernetes/store.ts';

const hour = 3_600_000;

/** The memory of checks, which forgets every domain that is removed. */
export function rememberChecks(domains: Pick<Store<ProjectDomain>, 'subscribe'>): RecentChecks {
  const recentChecks = createRecentChecks();
  domains.subscribe(({ type, object, previous }) => {
    const { uid = '' } = previous?.metadata ?? object.metadata;
    if (type === 'deleted' || uid !== object.metadata.uid) recentChecks.forget(uid);
  });
  return recentChecks;
}

/** Domains checked within the last hour, by routing verdict: does DNS lead here? */
export function countChecked(checks: Iterable<RecentCheck>, now: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>([
    ['Yes', 0],
    ['No', 0],
    ['Unknown', 0],
  ]);
  for (const { checkedAt, routing } of checks)
    if (routing !== null && (checkedAt ?? 0) > now - hour) counts.set(routing, (counts.get(routing) ?? 0) + 1);
  return counts;
}

/** How late the check is that has been due longest, in milliseconds; 0 when none is. */
export function checkLag(checks: Iterable<RecentCheck>, now: number): number {
  let due = now;
  for (const { nextAt } of checks) due = Math.min(due, nextAt ?? now);
  return now - due;
}
