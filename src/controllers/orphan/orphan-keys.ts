import type { KubernetesObject, ObjectKey } from '../../kubernetes/kubernetes-port.ts';
import { indexKey, keyOf, parseKey } from '../../kubernetes/object-keys.ts';
import type { RouteObjectKey } from '../../routing/observed-routes.ts';
import { claimedHostname } from '../../rules/claim-name.ts';
import { childName } from '../../rules/dns-target.ts';
import type { ReconcileKeys } from '../reconcile-requests.ts';
import type { Caches } from '../needs.ts';

/** The queue key of a child: the name of its cache and its object key. */
export const orphanKey = (cache: string, key: string): string => `${cache}:${key}`;

/** The name of its cache and its object key. */
export function parseOrphanKey(key: string): { readonly cache: string; readonly child: ObjectKey } {
  const [cache = '', child = ''] = key.split(':', 2);
  return { cache, child: parseKey(child) };
}

/** Keys of the children from one cache whose owner is missing from the caches; the reconcile confirms it live. */
export const orphanKeys = (caches: Caches, cache: string, children: readonly KubernetesObject[]): ReconcileKeys => ({
  orphan: children.filter((child) => !ownerIsCached(caches, child)).map((child) => orphanKey(cache, keyOf(child))),
});

function ownerIsCached({ domains, projects }: Caches, { metadata }: KubernetesObject): boolean {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  const key = { namespace: metadata.namespace ?? '', name: owner?.name ?? '' };
  if (owner?.kind === 'ProjectDomain') return domains.headOf(key) !== undefined;
  return owner?.kind !== 'Project' || projects.headOf(key) !== undefined;
}

/**
 * The same of every child, in small pieces. A claim whose holder is there stands for the children of its hostname, so that only
 * those of other hostnames are unpacked.
 */
export function* allOrphanKeys(caches: Caches): Iterable<ReconcileKeys> {
  const expected = new Set<string>();
  for (const held of caches.claims.indexValues('holder')) {
    const holder = parseKey(held);
    for (const { name } of caches.claims.keysByIndex('holder', held)) {
      const hostname = claimedHostname(name);
      if (isThere(caches, holder, hostname)) expected.add(indexKey(holder.namespace, childName(hostname)));
      yield {};
    }
  }
  for (const { name, key, ofHostname } of childKeys(caches)) {
    const isExpected = expected.has(indexKey(key.namespace, ofHostname));
    const child = isExpected ? undefined : childIn(caches, name, key);
    yield child ? orphanKeys(caches, name, [child]) : {};
  }
}

function* childKeys({ routes, certificates }: Caches): Iterable<RouteObjectKey> {
  yield* routes.keys();
  for (const key of certificates.keys()) yield { name: certificatesCache, key, ofHostname: key.name };
}

const certificatesCache = 'certificates';

/** The child with this key in the cache of this name, if there is one. */
export const childIn = (
  { certificates, routes }: Pick<Caches, 'certificates' | 'routes'>,
  cache: string,
  key: ObjectKey,
): KubernetesObject | undefined => (cache === certificatesCache ? certificates.get(key) : routes.objectIn(cache, key));

/** Whether an object that can hold this hostname is there, and not being deleted: its domain; or a project, whose platform hostname it may be. */
function isThere({ projects, domains }: Pick<Caches, 'domains' | 'projects'>, holder: ObjectKey, hostname: string) {
  const head = domains.headOf(holder);
  const isDomain = head?.spec.hostname === hostname && head.metadata.deletionTimestamp === undefined;
  return isDomain || projects.has(holder);
}
