import type { Kind, KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import { objectKeyOf } from '../kubernetes/object-keys.ts';
import { Problem } from './problem.ts';
import { settled } from './cache-wait.ts';
import type { LiveCache } from './api-dependencies.ts';
import type { Writing } from './writes/write-turn.ts';
import { inTurn, nameOf } from './writes/write-turn.ts';

/** The HTTP status of an error of the kube-apiserver; null for any other error. */
export const statusOf = (error: unknown): number | null => {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && !(error instanceof Problem) ? status : null;
};

const attempts = 4;

type Change<T> = (object: T) => T | null | Promise<T | null>;

/** A kind and the cache that its objects are read from. */
export interface Editable<T extends KubernetesObject> {
  readonly kind: Kind<T>;
  readonly cache: LiveCache<T, unknown>;
}

/**
 * Reads an object, changes it and writes it back by PUT with the version that was read; retries on a conflict. `change`
 * returns null when there is nothing to write; it may do what has to come before the write. Throws not-found when the object is gone. Edits of one object run one
 * after another; each reads the object when its turn comes.
 */
export async function edit<T extends KubernetesObject>(
  writing: Writing,
  editable: Editable<T>,
  start: T,
  change: Change<T>,
): Promise<T> {
  const { kind, cache } = editable;
  const object = nameOf({ kind: kind.kind, metadata: start.metadata });
  const written = await inTurn(writing, object, () => replace(writing, editable, start, change));
  await settled(cache, written, writing.dependencies.stopping);
  return written;
}

async function replace<T extends KubernetesObject>(
  { dependencies: { cluster } }: Writing,
  { kind, cache }: Editable<T>,
  start: T,
  change: Change<T>,
): Promise<T> {
  const key = objectKeyOf(start);
  let object = cache.get(key);
  for (let attempt = 1; object?.metadata.uid === start.metadata.uid && object !== undefined; attempt += 1) {
    const changed = await change(object);
    if (changed === null) return object;
    try {
      return await cluster.replace(kind, changed);
    } catch (error) {
      if (statusOf(error) !== 409 || attempt >= attempts) throw error;
      object = await cluster.get(kind, key);
    }
  }
  throw new Problem('not-found', `${kind.kind} ${key.name} is gone`);
}
