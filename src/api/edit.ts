import type { Kind, KubeObject } from '../kube/port.ts';
import { Problem } from './problem.ts';
import { settled } from './until.ts';
import type { ApiWorld, LiveCache } from './world.ts';

/** What the API server of Kubernetes refused, as far as the API has to tell it apart. */
export const statusOf = (error: unknown): number | null => {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && !(error instanceof Problem) ? status : null;
};

const attempts = 4;

/** One kind, where it is read and how one of its objects is called in a problem. */
export interface Editable<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly cache: LiveCache<T>;
}

/**
 * Reads, changes and writes one object back by PUT with the version that was read; when somebody was faster, all of it
 * again. `change` returns null when there is nothing to write. Throws not-found when it is gone.
 */
export async function edit<T extends KubeObject>(
  { cluster, stopping }: Pick<ApiWorld, 'cluster' | 'stopping'>,
  { kind, cache }: Editable<T>,
  start: T,
  change: (object: T) => T | null,
): Promise<T> {
  const { namespace = '', name, uid } = start.metadata;
  let object: T | undefined = start;
  for (let attempt = 1; object?.metadata.uid === uid && object !== undefined; attempt += 1) {
    const changed = change(object);
    if (changed === null) return object;
    try {
      const written = await cluster.replace(kind, changed);
      await settled(cache, written, stopping);
      return written;
    } catch (error) {
      if (statusOf(error) !== 409 || attempt >= attempts) throw error;
      object = await cluster.get(kind, { namespace, name });
    }
  }
  throw new Problem('not-found', `${kind.kind} ${name} is gone`);
}
