import type { KubernetesObject, ObjectKey, ObjectMeta, Preconditions, Kind } from './kubernetes-port.ts';

/**
 * The key of a namespaced object in queues and indexes. Joined, because V8 keeps a concatenated string together with its parts,
 * and there are some twenty such keys for each domain.
 */
export const indexKey = (namespace: string, name: string): string => [namespace, name].join('/');

/** Parses a queue key: `namespace/name`, or `name` for cluster-scoped kinds. */
export function parseKey(key: string): ObjectKey {
  const [first = '', second] = key.split('/', 2);
  return second === undefined ? { namespace: '', name: first } : { namespace: first, name: second };
}

/** Namespace and name of an object. */
export const objectKeyOf = ({ metadata }: Pick<KubernetesObject, 'metadata'>): ObjectKey => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

/** The queue key of an object. */
export const keyOf = ({ metadata }: Pick<KubernetesObject, 'metadata'>): string => queueKey(objectKeyOf({ metadata }));

/** The queue key of an object with this namespace and name. */
export const queueKey = ({ namespace, name }: ObjectKey): string =>
  namespace === '' ? name : indexKey(namespace, name);

/** Restricts a write to the object that was read, not a later one of the same name. Empty without a uid. */
export const preconditionsOf = ({ metadata }: Pick<KubernetesObject, 'metadata'>): Preconditions =>
  metadata.uid === undefined ? {} : { uid: metadata.uid };

/** Name, namespace and uid: metadata with which an apply can only change the object that was read. */
export const identityOf = ({
  metadata,
}: Pick<KubernetesObject, 'metadata'>): Pick<ObjectMeta, 'name' | 'namespace' | 'uid'> => ({
  name: metadata.name,
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
  ...preconditionsOf({ metadata }),
});

/**
 * URL path of a kind's collection, across all namespaces when none is given (Kubernetes API concepts, resource URIs).
 */
export function collectionPath({ apiVersion, plural, namespaced }: Kind, namespace?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespaced && namespace
    ? `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`
    : `${root}/${plural}`;
}

/** URL path of one object. Throws for a namespaced kind without a namespace: that would address another resource. */
export function objectPath(kind: Kind, { namespace, name }: ObjectKey): string {
  if (kind.namespaced && namespace === '') throw new Error(`${kind.kind} ${name} needs a namespace`);
  if (name === '') throw new Error(`a ${kind.kind} without a name has no path`);
  return `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;
}

/** The values that are set as `?a=1&b=2`; the empty string when none is. */
export function query(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const set = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
}
