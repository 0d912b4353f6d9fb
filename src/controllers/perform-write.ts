import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import { isNotFound } from '../kubernetes/kubernetes-errors.ts';
import type { WriteAction } from '../controller-runtime/actions.ts';

/** Sends one write to the cluster. */
export async function performWrite(cluster: Cluster, action: WriteAction): Promise<void> {
  switch (action.verb) {
    case 'apply':
      await cluster.apply(action.kind, action.object, action.live === undefined ? {} : { live: action.live });
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
