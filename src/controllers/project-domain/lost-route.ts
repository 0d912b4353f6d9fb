import { findCondition, isTrue } from '../../rules/conditions.ts';
import { minutes } from '../../rules/check-schedule.ts';
import type { GatheredProjectDomain, ProjectDomainSnapshot } from './project-domain-snapshot.ts';

/**
 * How long a hostname that had answered counts as routed while its route, which somebody deleted, is written again and probed: an edge follows
 * within moments, and visitors of its redirects need not notice.
 */
const countsAsRoutedFor = 10 * minutes;

type Routed = Pick<GatheredProjectDomain, 'domain' | 'claimRelation' | 'route'>;

/** It has answered through its route, and nothing has taken that back since. */
export function hasAnswered({ domain }: Pick<Routed, 'domain'>): boolean {
  const before = findCondition(domain.status?.conditions, 'Routed');
  return isTrue(before) || before?.reason === 'ReadyToSwitch';
}

/**
 * Since when the route of a hostname that had answered is missing, this reconcile's look and probe included, milliseconds since the Unix epoch; null where it
 * answers. It is missing where no object of its names is there, whatever anybody did to those that were.
 */
export function routeLostAt(snapshot: ProjectDomainSnapshot): number | null {
  if (snapshot.claimRelation.kind !== 'Held' || !hasAnswered(snapshot) || snapshot.probe?.ok) return null;
  return snapshot.routeLostAt ?? (snapshot.route?.backend === undefined ? snapshot.now : null);
}

/** Until when it counts as routed all the same; null where its route is not lost. */
export function countsAsRoutedUntil(snapshot: ProjectDomainSnapshot): number | null {
  const since = routeLostAt(snapshot);
  return since === null ? null : since + countsAsRoutedFor;
}
