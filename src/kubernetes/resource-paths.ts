import type { Kind, ObjectKey } from './kubernetes-port.ts';

/** Where a kind's collection lives: all namespaces when none is given (Kubernetes API concepts, resource URIs). */
export function collectionPath({ apiVersion, plural, namespaced }: Kind, namespace?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespaced && namespace
    ? `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`
    : `${root}/${plural}`;
}

/** Where one object lives. Throws for a namespaced kind without a namespace: that would address another resource. */
export function objectPath(kind: Kind, { namespace, name }: ObjectKey): string {
  if (kind.namespaced && namespace === '') throw new Error(`${kind.kind} ${name} needs a namespace`);
  if (name === '') throw new Error(`a ${kind.kind} without a name has no path`);
  return `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;
}

/** `?a=1&b=2` of what is set, or the empty string. */
export function query(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const set = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
}
