import type { KubernetesObject, ObjectKey } from './kubernetes-port.ts';

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
