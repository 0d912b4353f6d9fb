import type { CountEntry, RecentChecks } from '../controllers/project-domain/recent-checks.ts';
import { createRecentChecks } from '../controllers/project-domain/recent-checks.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Store } from '../kubernetes/store.ts';
import { createMomentCounts } from './moment-counts.ts';

const second = 1_000;
const hour = 3_600 * second;
/** How accurate the figures are. */
const checkedWithin = 60 * second;
const dueWithin = 10 * second;

/** How fresh the leader's memory of checks is. Reading it visits no entry; `now` in milliseconds since the Unix epoch. */
export interface CheckFreshness {
  /** Domains checked within the last hour, by routing verdict (does DNS lead here?); to the minute. */
  checked(now: number): ReadonlyMap<string, number>;
  /** How late the check is that has been due longest, milliseconds; 0 when none is. Up to ten seconds too little. */
  lag(now: number): number;
}

/** The memory of checks, which forgets every domain whose removal begins, as it is not checked any more, and its freshness, counted with each change. */
export function rememberChecks(domains: Pick<Store<ProjectDomain>, 'subscribe'>): {
  readonly recentChecks: RecentChecks;
  readonly freshness: CheckFreshness;
} {
  const checked = createMomentCounts(checkedWithin);
  const due = createMomentCounts(dueWithin);
  const count: CountEntry = ({ routing, checkedAt, nextAt }, by) => {
    if (routing !== null && checkedAt !== null) checked.step({ name: routing, at: checkedAt }, by);
    if (nextAt !== null) due.step({ name: 'due', at: nextAt }, by);
  };
  const recentChecks = createRecentChecks(count);
  domains.subscribe(({ type, object, previous }) => {
    const { uid = '' } = previous?.metadata ?? object.metadata;
    const isGone = type === 'deleted' || object.metadata.deletionTimestamp !== undefined;
    if (isGone || uid !== object.metadata.uid) recentChecks.forget(uid);
  });
  return {
    recentChecks,
    freshness: {
      checked(now) {
        const counts = checked.between(now - hour, now);
        return new Map(['Yes', 'No', 'Unknown'].map((routing) => [routing, counts.get(routing) ?? 0]));
      },
      lag: (now) => Math.max(0, now - dueWithin - (due.earliest() ?? now)),
    },
  };
}
