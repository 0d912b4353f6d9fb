import { createHash } from 'node:crypto';
import { isNotFound } from './kubernetes-errors.ts';
import { listAll, trimmed } from './list-pages.ts';
import { collectionPath, objectPath, query } from './object-keys.ts';
import type { Cluster, Intent, Kind, KubernetesObject, ObjectKey, Preconditions } from './kubernetes-port.ts';
import type { Transport } from './transport.ts';

/** Looks an object up in the caches; undefined when it is not there, or when its kind is not cached. */
export type CachedObject = (kind: Kind, key: ObjectKey) => KubernetesObject | undefined;

const rememberedApplies = 50_000;

/**
 * A Cluster client over a transport. An apply is skipped when the same intent was applied before and the cache still
 * holds the version which that apply returned: nobody has changed the object since, so nothing would change.
 */
export function createCluster(transport: Transport, fieldManager: string, cachedObject: CachedObject): Cluster {
  const applied = new Map<string, { intent: string; version: string }>();

  const applyAt = async <T extends KubernetesObject>(
    kind: Kind<T>,
    intent: Intent,
    part: '' | '/status',
  ): Promise<T> => {
    const key = keyOf(intent);
    const path = objectPath(kind, key) + part;
    const hash = hashOf(intent);
    const live = cachedObject(kind, key) as T | undefined;
    const before = applied.get(path);
    if (live && before?.intent === hash && before.version === live.metadata.resourceVersion) return live;
    const parameters = query({ fieldManager, force: true });
    const contentType = 'application/apply-patch+yaml';
    const answer = trimmed(
      kind,
      await transport.call<T>({ method: 'PATCH', path: path + parameters, body: intent, contentType }),
    );
    if (applied.size >= rememberedApplies) applied.clear();
    applied.set(path, { intent: hash, version: answer.metadata.resourceVersion ?? '' });
    return answer;
  };
  const write = async <T extends KubernetesObject>(
    method: 'POST' | 'PUT',
    kind: Kind<T>,
    path: string,
    body: KubernetesObject,
  ): Promise<T> => trimmed(kind, await transport.call<T>({ method, path: path + query({ fieldManager }), body }));

  return {
    async get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey) {
      try {
        return trimmed(kind, await transport.call<T>({ method: 'GET', path: objectPath(kind, key) }));
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    list: async (kind, options) => (await listAll(transport, kind, options)).items,
    create: (kind, object) => write('POST', kind, collectionPath(kind, object.metadata.namespace), object),
    replace: (kind, object) => write('PUT', kind, objectPath(kind, keyOf(object)), object),
    replaceStatus: (kind, object) => write('PUT', kind, `${objectPath(kind, keyOf(object))}/status`, object),
    apply: (kind, intent) => applyAt(kind, intent, ''),
    applyStatus: (kind, intent) => applyAt(kind, intent, '/status'),
    remove(kind, key, preconditions) {
      const path = objectPath(kind, key);
      applied.delete(path);
      applied.delete(`${path}/status`);
      return remove(transport, path, preconditions);
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

const keyOf = ({ metadata }: KubernetesObject): ObjectKey => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

const hashOf = (intent: Intent): string => createHash('sha256').update(JSON.stringify(intent)).digest('base64');
