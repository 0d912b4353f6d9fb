import type { Cluster } from '../kube/port.ts';
import type { Action, Announcement, Outcome, Plan } from './plan.ts';

export interface Hands {
  readonly cluster: Cluster;
  readonly now: () => number;
  /** emits a Kubernetes Event; never throws */
  readonly announce: (announcement: Announcement) => void;
}

/**
 * Carries a plan out, in order, and says when to come back. The first refusal ends it: what was not done is decided
 * anew from the world as it is then. Conflicts mean that the world moved; the queue tries again.
 */
export async function carryOut({ cluster, now, announce }: Hands, plan: Plan): Promise<Outcome> {
  for (const action of plan.actions) await perform(cluster, action);
  plan.announcements.forEach(announce);
  return plan.revisitAt === null ? {} : { revisitAfterMs: Math.max(0, plan.revisitAt - now()) };
}

async function perform(cluster: Cluster, action: Action): Promise<void> {
  switch (action.verb) {
    case 'apply':
      await cluster.apply(action.kind, action.object);
      return;
    case 'applyStatus':
      await cluster.applyStatus(action.kind, action.object);
      return;
    case 'create':
      await cluster.create(action.kind, action.object);
      return;
    case 'replace':
      await cluster.replace(action.kind, action.object);
      return;
    case 'replaceStatus':
      await cluster.replaceStatus(action.kind, action.object);
      return;
    case 'remove':
      await cluster.remove(action.kind, action.key, action.preconditions);
  }
}
