import type { Intent, Kind, KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import type { RequestContext } from '../api-dependencies.ts';

/** Who changes something, and until when anybody waits for it. */
export type Writing = Pick<RequestContext, 'dependencies' | 'caller' | 'signal'>;

/** Does the work when the account's turn comes; `object` as `Turn` says. A server that stops still makes what waits. */
export function inTurn<T>(
  { dependencies, caller, signal }: Writing,
  object: string | null,
  work: () => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const end = () => {
    if (!dependencies.stopping.aborted) gone.abort();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  const turn = { account: caller.account.metadata.name, object, signal: gone.signal };
  return dependencies.writes.queue.run(turn, work).finally(() => signal.removeEventListener('abort', end));
}

const attempts = 5;

/**
 * POSTs an object in its turn. A conflict that is not about the object's name is one of the namespace's ResourceQuota,
 * which counts one change after another: it is tried again.
 */
export function createInTurn<T extends KubernetesObject>(writing: Writing, kind: Kind<T>, draft: Intent): Promise<T> {
  return inTurn(writing, null, async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await writing.dependencies.cluster.create(kind, draft);
      } catch (error) {
        if ((error as { reason?: unknown }).reason !== 'Conflict' || attempt >= attempts) throw error;
      }
    }
  });
}

/** Deletes an object in its turn, and no other that took its name meanwhile. */
export async function removeInTurn(writing: Writing, kind: Kind, { metadata }: KubernetesObject): Promise<void> {
  const { namespace = '', name, uid } = metadata;
  const preconditions = uid ? { uid } : {};
  await inTurn(writing, null, () => writing.dependencies.cluster.remove(kind, { namespace, name }, preconditions));
}

/** How an object is called where changes of it wait for each other. */
export const nameOf = ({ kind, metadata }: Pick<KubernetesObject, 'kind' | 'metadata'>): string =>
  `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
