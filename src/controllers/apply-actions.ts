import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import { isNotFound } from '../kubernetes/kubernetes-errors.ts';
import { earliest } from '../controller-runtime/actions.ts';
import { certManagerApiVersion } from '../resources/kinds.ts';
import type { WriteAction, EventRecord, ReconcileResult, Actions } from '../controller-runtime/actions.ts';

export interface ApplyDependencies {
  readonly cluster: Cluster;
  readonly now: () => number;
  /** emits a Kubernetes Event; never throws */
  readonly recordEvent: (eventRecord: EventRecord) => void;
}

/**
 * Applies what a reconcile decided, in order, and returns when to requeue. The first write that fails ends it; the
 * remaining writes are decided anew by the next reconcile. A conflict means that an object changed meanwhile; the queue
 * retries. If a write of a cert-manager kind fails, routes and status are still applied, and the error is thrown at the
 * end. A write that the client postponed brings the key back when it may be written.
 */
export async function applyActions(
  { cluster, now, recordEvent }: ApplyDependencies,
  actions: Actions,
): Promise<ReconcileResult> {
  const errors: unknown[] = [];
  const postponedTo: number[] = [];
  const postpone = (retryAfterMs: number) => void postponedTo.push(now() + retryAfterMs);
  for (const action of actions.writes) {
    if (errors.length > 0 && !canFollowError(action)) continue;
    try {
      await perform(cluster, action, postpone);
    } catch (error) {
      if (!isCertManagers(action)) throw error;
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  actions.events.forEach(recordEvent);
  const requeueAt = earliest(actions.requeueAt, ...postponedTo);
  return {
    ...(requeueAt === null ? {} : { requeueAfterMs: Math.max(0, requeueAt - now()) }),
    ...(postponedTo.length === 0 ? {} : { isIncomplete: true }),
  };
}

const isCertManagers = ({ kind }: WriteAction): boolean => kind.apiVersion === certManagerApiVersion;

/** Applying other kinds or a status is safe after an error; claims, Secrets and removals depend on the writes before them. */
const canFollowError = (action: WriteAction): boolean =>
  action.verb === 'applyStatus' || (action.verb === 'apply' && !isCertManagers(action));

async function perform(cluster: Cluster, action: WriteAction, postpone: (retryAfterMs: number) => void): Promise<void> {
  switch (action.verb) {
    case 'apply':
      await cluster.apply(action.kind, action.object, {
        postpone,
        ...(action.live === undefined ? {} : { live: action.live }),
      });
      return;
    case 'applyStatus':
      await applyStatus(cluster, action);
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

/** An object that went meanwhile needs no status: whatever took its place wakes a reconcile of its own. */
async function applyStatus(
  cluster: Cluster,
  { kind, object }: Extract<WriteAction, { verb: 'applyStatus' }>,
): Promise<void> {
  try {
    await cluster.applyStatus(kind, object);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
