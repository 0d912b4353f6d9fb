import type { KubernetesObject, ObjectKey, ObjectMeta, Preconditions } from './kubernetes-port.ts';

/** The key of a namespaced object in queues and indexes. */
export const indexKey = (namespace: string, name: string): string => `${namespace}/${name}`;

/** Splits the queue's key, `namespace/name`, or `name` for cluster-scoped kinds. */
export function parseKey(key: string): ObjectKey {
  const [first = '', second] = key.split('/', 2);
  return second === undefined ? { namespace: '', name: first } : { namespace: first, name: second };
}

/** The queue's key of an object. */
export const keyOf = ({ metadata }: Pick<KubernetesObject, 'metadata'>): string =>
  metadata.namespace === undefined ? metadata.name : indexKey(metadata.namespace, metadata.name);

/** That a write concerns the very object that was read, and not a later one of its name. Empty for what has no uid yet. */
export const preconditionsOf = ({ metadata }: Pick<KubernetesObject, 'metadata'>): Preconditions =>
  metadata.uid === undefined ? {} : { uid: metadata.uid };

/** Name, namespace and uid: what an applied object or status must say of itself to meet the object that was read. */
export const identityOf = ({
  metadata,
}: Pick<KubernetesObject, 'metadata'>): Pick<ObjectMeta, 'name' | 'namespace' | 'uid'> => ({
  name: metadata.name,
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
  ...preconditionsOf({ metadata }),
});
