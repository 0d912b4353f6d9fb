import { createBoundedMap } from '../lib/bounded-map.ts';
import { isApplied, isStatusApplied, withHash } from './applied-intent.ts';
import { isNotFound } from './kubernetes-errors.ts';
import { listAll, trimmed } from './list-pages.ts';
import { collectionPath, objectKeyOf, objectPath, query } from './object-keys.ts';
import type {
  ApplyOptions,
  Cluster,
  CreateOptions,
  Intent,
  Kind,
  KubernetesObject,
  ObjectKey,
  Preconditions,
} from './kubernetes-port.ts';
import type { Call, Transport } from './transport.ts';

/** Looks an object up in the caches; undefined when it is not there, `notCached` when its kind is in none of them. */
export type CachedObject = (kind: Kind, key: ObjectKey) => KubernetesObject | undefined | typeof notCached;

export const notCached = 'not cached';

/** How a client knows the objects as they are, so that it sends no apply that would change nothing. */
export interface KnownObjects {
  readonly cachedObject: CachedObject;
  /** is told what each write was answered with */
  readonly written: (kind: Kind, object: KubernetesObject) => void;
}

/** How many removals a client remembers, each until the cache shows it. */
const removalsAtMost = 1_000;

/**
 * A Cluster client over a transport. Given `known`, an apply is compared with the object in the cache, or read first where
 * its kind is not cached, and not sent when nothing would change; without, every apply is sent.
 */
export function createCluster(transport: Transport, fieldManager: string, known: KnownObjects | null = null): Cluster {
  /** versions of objects that were removed, as the cache still shows them */
  const removed = createBoundedMap<string>(removalsAtMost);

  const get = async <T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey): Promise<T | undefined> => {
    try {
      return trimmed(kind, await transport.call<T>({ method: 'GET', path: objectPath(kind, key) }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  const liveObject = async (kind: Kind, key: ObjectKey, read?: KubernetesObject | null) => {
    const cached = known?.cachedObject(kind, key);
    if (cached === notCached) return read === undefined ? get(kind, key) : (read ?? undefined);
    const isRemoved = cached && removed.get(objectPath(kind, key)) === cached.metadata.resourceVersion;
    return isRemoved ? undefined : cached;
  };
  const send = async <T extends KubernetesObject>(kind: Kind<T>, call: Call): Promise<T> =>
    trimmed(kind, await transport.call<T>(call));
  const write = async <T extends KubernetesObject>(kind: Kind<T>, call: Call): Promise<T> => {
    const answer = await send(kind, call);
    known?.written(kind, answer);
    return answer;
  };
  const sendApply = <T extends KubernetesObject>(kind: Kind<T>, path: string, body: Intent): Promise<T> => {
    const contentType = 'application/apply-patch+yaml';
    const parameters = query({ fieldManager, force: true });
    return write(kind, { method: 'PATCH', path: path + parameters, body, contentType });
  };
  const apply = async <T extends KubernetesObject>(
    kind: Kind<T>,
    intent: Intent,
    { live: read }: ApplyOptions = {},
  ): Promise<T> => {
    const key = objectKeyOf(intent);
    const live = (await liveObject(kind, key, read)) as T | undefined;
    if (live && isApplied(intent, live)) return live;
    return sendApply(kind, objectPath(kind, key), withHash(intent));
  };
  const applyStatus = async <T extends KubernetesObject>(kind: Kind<T>, intent: Intent): Promise<T> => {
    const key = objectKeyOf(intent);
    const live = (await liveObject(kind, key)) as T | undefined;
    if (live && isStatusApplied(intent, live)) return live;
    return sendApply(kind, `${objectPath(kind, key)}/status`, intent);
  };
  const put = <T extends KubernetesObject>(kind: Kind<T>, path: string, body: KubernetesObject): Promise<T> =>
    write(kind, { method: 'PUT', path: path + query({ fieldManager }), body });
  const creation = (kind: Kind, body: KubernetesObject, { isDryRun = false }: CreateOptions = {}): Call => {
    const parameters = query({ fieldManager, dryRun: isDryRun ? 'All' : undefined });
    return { method: 'POST', path: collectionPath(kind, body.metadata.namespace) + parameters, body };
  };

  return {
    get,
    list: (kind, options) => listAll(transport, kind, options),
    create: (kind, object, options) => (options?.isDryRun ? send : write)(kind, creation(kind, object, options)),
    replace: (kind, object) => put(kind, objectPath(kind, objectKeyOf(object)), object),
    replaceStatus: (kind, object) => put(kind, `${objectPath(kind, objectKeyOf(object))}/status`, object),
    apply,
    applyStatus,
    async remove(kind, key, preconditions) {
      const path = objectPath(kind, key);
      const cached = known?.cachedObject(kind, key);
      const existed = await remove(transport, path, preconditions);
      const version = cached === notCached ? undefined : cached?.metadata.resourceVersion;
      if (version !== undefined) removed.set(path, version);
      return existed;
    },
  };
}

async function remove(transport: Transport, path: string, preconditions: Preconditions | undefined): Promise<boolean> {
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: 'Background',
    ...(preconditions ? { preconditions } : {}),
  };
  try {
    await transport.call({ method: 'DELETE', path, body });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
