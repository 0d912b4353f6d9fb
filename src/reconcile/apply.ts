import type { Cluster } from '../kube/port.ts';
import { IngressKind } from '../model/kinds.ts';
import type { Action, Announcement, Outcome, Plan } from './plan.ts';

export interface Hands {
  readonly cluster: Cluster;
  readonly now: () => number;
  /** emits a Kubernetes Event; never throws */
  readonly announce: (announcement: Announcement) => void;
}

/**
 * Carries a plan out, in order, and says when to come back. The first refusal ends it: what was not done is decided
 * anew from the world as it is then. Conflicts mean that the world moved; the queue tries again. What cert-manager's
 * kinds refuse keeps routes and status waiting no longer than themselves: those two go on, and the refusal is thrown then.
 */
export async function carryOut({ cluster, now, announce }: Hands, plan: Plan): Promise<Outcome> {
  const refusals: unknown[] = [];
  for (const action of plan.actions) {
    if (refusals.length > 0 && !goesOn(action)) continue;
    try {
      await perform(cluster, action);
    } catch (error) {
      if (!isCertManagers(action)) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length > 0) throw refusals[0];
  plan.announcements.forEach(announce);
  return plan.revisitAt === null ? {} : { revisitAfterMs: Math.max(0, plan.revisitAt - now()) };
}

const isCertManagers = ({ kind }: Action): boolean => kind.apiVersion.startsWith('cert-manager.io/');

/** A route may lead further and a status may say more; claims, Secrets and removals wait for what stands before them. */
const goesOn = ({ verb, kind }: Action): boolean =>
  verb === 'applyStatus' || (verb === 'apply' && kind.kind === IngressKind.kind);

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
