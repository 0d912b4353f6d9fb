import type { ProjectDomain } from '../generated/project-domain.ts';
import type { StoreEvent } from '../kubernetes/store.ts';
import { stateEntries } from '../rules/timeline.ts';
import type { OperatorMetrics } from './metrics.ts';

/** Measures how long customers wait, from changes of the status. */
export function measureProgress({ object, previous }: StoreEvent<ProjectDomain>, metrics: OperatorMetrics): void {
  const before = previous?.status?.state;
  if (before === undefined || before === object.status?.state) return;
  measureLive(object, metrics);
}

/** From Add to Live and from Verified to Live, the first time. */
function measureLive({ metadata, status }: ProjectDomain, metrics: OperatorMetrics): void {
  const states = stateEntries(status?.timeline ?? []);
  const lives = states.filter(({ state }) => state === 'Live');
  const [first, ...again] = lives;
  if (status?.state !== 'Live' || !first || again.length > 0) return;
  metrics.live(Date.parse(first.at) - Date.parse(metadata.creationTimestamp ?? first.at));
  const proven = states.findLast(({ state }) => state === 'Verified');
  if (proven) metrics.served(Date.parse(first.at) - Date.parse(proven.at));
}
