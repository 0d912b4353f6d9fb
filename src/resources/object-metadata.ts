import type { ObjectMeta } from '../generated/object-meta.ts';
import type { KubernetesObject } from './kubernetes-types.ts';

/** Set on an account's namespace by an administrator; its value is the Account's name. */
export const accountLabel = 'projectdomain.io/account';

/** Requests a check now; its value is the time of the request (RFC 3339). Used by REST, dashboard, CLI and kubectl. */
export const verifyAnnotation = 'projectdomain.io/verify-requested-at';

/** Lifts the bans of an ApiKey that began before its value (RFC 3339). */
export const liftBanAnnotation = 'projectdomain.io/lift-ban-at';

/**
 * The labels of every child object, for people and tools that list them. The operator knows its children by their names (isChildName), as
 * anybody's policy may set labels.
 */
export const childLabels = {
  'app.kubernetes.io/managed-by': 'projectdomain',
  'projectdomain.io/managed': 'true',
} as const;

/** True when it bears a label of ours: the one of our own domain, or the recommended one, which others may have set to something else. */
export const hasChildLabel = ({ labels = {} }: { readonly labels?: Readonly<Record<string, string>> }): boolean =>
  Object.entries(childLabels).some(([label, value]) => labels[label] === value);

export const hostnameAnnotation = 'projectdomain.io/hostname';

export interface Owner extends Pick<KubernetesObject, 'apiVersion' | 'kind'> {
  readonly metadata: Pick<ObjectMeta, 'name' | 'uid' | 'deletionTimestamp'>;
}

type OwnerReference = NonNullable<ObjectMeta['ownerReferences']>[number];

/**
 * False for an object that is being deleted: with `--cascade=orphan` its dependents are to stay, and a new owner
 * reference would get them garbage-collected.
 */
export const canOwn = ({ metadata }: Owner): boolean => metadata.deletionTimestamp === undefined;

/** An owner reference, by which dependents are garbage-collected with their owner. Throws for an owner without uid. */
export function ownerReference(owner: Owner, controller: boolean): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  if (!metadata.uid) throw new Error(`${kind} ${metadata.name} has no uid and cannot own anything`);
  const reference = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
  return controller ? { ...reference, controller } : reference;
}

/** What the manifest of a hostname's child is made from. */
export interface ChildManifestInput {
  readonly namespace: string;
  readonly hostname: string;
  readonly owner: Owner;
}

/** Metadata of a child; `name` is derived from the hostname (childName), so it is always the same for a hostname. */
export const childMetadata = (name: string, { namespace, hostname, owner }: ChildManifestInput) => ({
  name,
  namespace,
  labels: childLabels,
  annotations: { [hostnameAnnotation]: hostname },
  ownerReferences: [ownerReference(owner, true)],
});
