import { createHash } from 'node:crypto';
import type { Intent, KubernetesObject } from './kubernetes-port.ts';

/** Annotation of every object that is applied with more than metadata: the hash of the intent that was applied last. */
export const appliedHashAnnotation = 'projectdomain.io/applied-hash';

/**
 * The intent as it is sent, with its hash as an annotation. One of metadata only (an owner reference, a request in an
 * annotation) is about somebody else's object and stays as it is: it owns no field that a later version could leave out.
 */
export function withHash<T extends Intent>(intent: T): T {
  if (isMetadataOnly(intent)) return intent;
  const annotations = { ...intent.metadata.annotations, [appliedHashAnnotation]: hashOf(intent) };
  return { ...intent, metadata: { ...intent.metadata, annotations } };
}

/**
 * Labels by which people and tools list objects. Nothing is decided by them, so one that somebody else has set is no reason to write: whoever sets it
 * again with each write would be answered for ever.
 */
const informational: ReadonlySet<string> = new Set([
  'metadata.labels.app.kubernetes.io/managed-by',
  'metadata.labels.projectdomain.io/managed',
]);

/**
 * True when applying the intent would change nothing of the object. The hash notices fields that the last intent had and this one has not;
 * comparing the fields notices what others changed. Fields beside those of the intent are somebody else's, or defaults.
 */
export const isApplied = (intent: Intent, live: KubernetesObject): boolean =>
  covers(intent, live, '') &&
  (isMetadataOnly(intent) || live.metadata.annotations?.[appliedHashAnnotation] === hashOf(intent));

/** True when the whole status of the object is the intent's, which holds where no other field manager writes any of it. */
export function isStatusApplied({ status, ...identity }: Intent, live: KubernetesObject): boolean {
  return covers(identity, live, '') && equals(status, (live as Intent).status, 'status');
}

const isMetadataOnly = (intent: Intent): boolean =>
  Object.keys(intent).every((field) => field === 'apiVersion' || field === 'kind' || field === 'metadata');

/** The hash of an intent: the same for equal ones, whatever the order of their keys. */
export const hashOf = (intent: Intent): string => createHash('sha256').update(canonical(intent)).digest('base64url');

const canonical = (intent: Intent): string =>
  JSON.stringify(intent, (_, value: unknown) =>
    isMap(value) ? Object.fromEntries(Object.entries(value).toSorted(byKey)) : value,
  );

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

type JsonMap = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The keys by which server-side apply merges the items of a list, by the list's path (Kubernetes' OpenAPI document,
 * x-kubernetes-list-map-keys). Every other list that is applied is atomic: it has one owner as a whole.
 */
const listMapKeys: Readonly<Record<string, readonly string[]>> = {
  'metadata.ownerReferences': ['uid'],
  'spec.ports': ['port', 'protocol'],
  'status.conditions': ['type'],
};

/** True when every field of `wanted` is in `found` with the same value. */
function covers(wanted: unknown, found: unknown, path: string): boolean {
  if (wanted === undefined) return true;
  if (isMap(wanted))
    return Object.entries(wanted).every(
      ([key, value]) => informational.has(below(path, key)) || covers(value, fieldOf(found, key), below(path, key)),
    );
  if (!Array.isArray(wanted)) return wanted === found;
  // A list without items is left out of answers, or null, by kinds that are written in Go.
  if (wanted.length === 0) return listOf(found).length === 0;
  const keys = listMapKeys[path];
  if (keys === undefined) return equals(wanted, found, path);
  return wanted.every((item) => covers(item, itemLike(item, listOf(found), keys), path));
}

/** True when both have the same fields with the same values. */
function equals(wanted: unknown, found: unknown, path: string): boolean {
  if (isMap(wanted)) return isMap(found) && haveEqualFields(wanted, found, path);
  if (!Array.isArray(wanted)) return wanted === found;
  const items = listOf(found);
  if (!Array.isArray(found) || items.length !== wanted.length) return false;
  const keys = listMapKeys[path];
  return wanted.every((item, at) => equals(item, keys ? itemLike(item, items, keys) : items[at], path));
}

function haveEqualFields(wanted: JsonMap, found: JsonMap, path: string): boolean {
  const fields = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  return [...fields].every((key) => equals(wanted[key], found[key], below(path, key)));
}

const below = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

const fieldOf = (found: unknown, key: string): unknown => (isMap(found) ? found[key] : undefined);

const listOf = (found: unknown): readonly unknown[] => (Array.isArray(found) ? found : []);

/** The item with the same keys; undefined when there is none. */
const itemLike = (wanted: unknown, items: readonly unknown[], keys: readonly string[]): unknown =>
  items.find((item) => keys.every((key) => fieldOf(item, key) === fieldOf(wanted, key)));
