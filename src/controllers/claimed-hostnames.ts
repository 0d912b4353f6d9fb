import type { ObjectKey } from '../kubernetes/kubernetes-port.ts';
import { parseKey } from '../kubernetes/object-keys.ts';
import type { Caches } from './reconciler-dependencies.ts';
import { claimedHostname } from '../rules/claim-name.ts';

/** A hostname that has a claim. */
interface ClaimedHostname {
  readonly hostname: string;
  /** the ProjectDomain or Project that the claim names */
  readonly holder: ObjectKey;
  /** whether it is in the caches, and not being deleted */
  readonly isThere: boolean;
}

/** Every hostname that has a claim, in any phase. Unpacks nothing. */
export function* claimedHostnames(caches: Pick<Caches, 'claims' | 'domains' | 'projects'>): Iterable<ClaimedHostname> {
  for (const key of caches.claims.indexValues('holder')) {
    const holder = parseKey(key);
    for (const { name } of caches.claims.keysByIndex('holder', key)) {
      const hostname = claimedHostname(name);
      yield { hostname, holder, isThere: isThere(caches, holder, hostname) };
    }
  }
}

/** Whether an object that can hold this hostname is there: its domain, or a project, whose platform hostname it may be. */
function isThere({ projects, domains }: Pick<Caches, 'domains' | 'projects'>, holder: ObjectKey, hostname: string) {
  const head = domains.headOf(holder);
  const isDomain = head?.spec.hostname === hostname && head.metadata.deletionTimestamp === undefined;
  return isDomain || projects.has(holder);
}
