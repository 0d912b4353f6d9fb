import { minutes } from '../../rules/check-schedule.ts';
import { isTrue } from '../../rules/conditions.ts';
import type { AssessedProjectDomain, LostRoute, ProjectDomainSnapshot } from './project-domain-snapshot.ts';

/**
 * How long a hostname that had answered counts as routed while its route, which somebody deleted, is written again and probed: an edge follows
 * within moments, and visitors of its redirects need not notice.
 */
const countsAsRoutedFor = 10 * minutes;

/** It has answered through its route, and nothing has taken that back since. */
export const hasAnswered = ({ before: { Routed } }: Pick<AssessedProjectDomain, 'before'>): boolean =>
  isTrue(Routed) || Routed?.reason === 'ReadyToSwitch';

/** With this reconcile's look and probe. A route is missing where no object of its names is there, whatever anybody did to those that were. */
export function lostRouteOf(snapshot: ProjectDomainSnapshot): LostRoute {
  const since = lostSince(snapshot);
  const until = since === null ? null : since + countsAsRoutedFor;
  return { since, countsUntil: until !== null && until > snapshot.now ? until : null };
}

function lostSince(snapshot: ProjectDomainSnapshot): number | null {
  if (snapshot.claimRelation.kind !== 'Held' || !hasAnswered(snapshot) || snapshot.probe?.ok) return null;
  return snapshot.routeLostAt ?? (snapshot.route?.backend === undefined ? snapshot.now : null);
}
