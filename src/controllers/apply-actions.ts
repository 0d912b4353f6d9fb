import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import { certManagerApiVersion } from '../resources/kinds.ts';
import type { WriteAction, EventRecord, ReconcileResult, Actions } from '../controller-runtime/actions.ts';

export interface ApplyDependencies {
  readonly cluster: Cluster;
  readonly now: () => number;
  /** emits a Kubernetes Event; never throws */
  readonly recordEvent: (eventRecord: EventRecord) => void;
}

/**
 * Applies what a reconcile decided, in order, and says when to come back. The first refusal ends it: what was not done is decided
 * anew from the world as it is then. Conflicts mean that the world moved; the queue tries again. What cert-manager's
 * kinds refuse keeps routes and status waiting no longer than themselves: those two go on, and the refusal is thrown then.
 */
export async function applyActions(
  { cluster, now, recordEvent }: ApplyDependencies,
  actions: Actions,
): Promise<ReconcileResult> {
  const refusals: unknown[] = [];
  for (const action of actions.writes) {
    if (refusals.length > 0 && !goesOn(action)) continue;
    try {
      await perform(cluster, action);
    } catch (error) {
      if (!isCertManagers(action)) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length > 0) throw refusals[0];
  actions.events.forEach(recordEvent);
  return actions.requeueAt === null ? {} : { requeueAfterMs: Math.max(0, actions.requeueAt - now()) };
}

const isCertManagers = ({ kind }: WriteAction): boolean => kind.apiVersion === certManagerApiVersion;

/** What is applied may lead further and a status may say more; claims, Secrets and removals wait for what stands before them. */
const goesOn = (action: WriteAction): boolean =>
  action.verb === 'applyStatus' || (action.verb === 'apply' && !isCertManagers(action));

async function perform(cluster: Cluster, action: WriteAction): Promise<void> {
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
