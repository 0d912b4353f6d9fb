import type { Intent, Kind, KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { objectKeyOf, preconditionsOf } from '../../kubernetes/object-keys.ts';
import type { RequestContext } from '../api-dependencies.ts';

/** The part of a request's context that a write needs. */
export type Writing = Pick<RequestContext, 'dependencies' | 'caller' | 'signal'>;

/**
 * Does the work when the account's turn comes; `object` as in WriteTurn. A stopping server still makes the waiting
 * changes.
 */
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
 * POSTs an object in its turn. A conflict that is not about the object's name comes from the namespace's ResourceQuota,
 * which counts changes one at a time: the POST is retried.
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

/** Deletes an object in its turn, but not another one that has taken its name in the meantime. */
export async function removeInTurn(writing: Writing, kind: Kind, object: KubernetesObject): Promise<void> {
  const { cluster } = writing.dependencies;
  await inTurn(writing, null, () => cluster.remove(kind, objectKeyOf(object), preconditionsOf(object)));
}

/** The name under which changes of one object are serialised. */
export const nameOf = ({ kind, metadata }: Pick<KubernetesObject, 'kind' | 'metadata'>): string =>
  `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
