/** Put on an account's namespace by an administrator; its value is the Account's name. */
export const accountLabel = 'projectdomain.io/account';

/** Asks for a check now; its value is the time of asking (RFC 3339). One act for REST, dashboard, CLI and kubectl. */
export const verifyAnnotation = 'projectdomain.io/verify-requested-at';

/** Lifts the bans of an ApiKey that began before its value (RFC 3339). */
export const liftBanAnnotation = 'projectdomain.io/lift-ban-at';

/** What every child object carries, so that it is found, explained and collected with its owner. */

export const managedBy = { 'app.kubernetes.io/managed-by': 'projectdomain' } as const;

/** Children are told from foreign objects by our label. */
export const managedBySelector = 'app.kubernetes.io/managed-by=projectdomain';

export const hostnameAnnotation = 'projectdomain.io/hostname';

export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid?: string; readonly deletionTimestamp?: string };
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/**
 * False for what is being deleted. Who deletes it with `--cascade=orphan` wants its dependents to stay: tied to it once
 * more they would be collected with it.
 */
export const canOwn = ({ metadata }: Owner): boolean => metadata.deletionTimestamp === undefined;

/** A reference by which deletion of the owner travels to its dependents. Throws without a uid (a draft owns nothing). */
export function ownerReference(owner: Owner, controller: boolean): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  if (!metadata.uid) throw new Error(`${kind} ${metadata.name} has no uid and cannot own anything`);
  const reference = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
  return controller ? { ...reference, controller } : reference;
}

/** What a child of a hostname is made from. */
export interface ChildManifestInput {
  readonly namespace: string;
  readonly hostname: string;
  readonly owner: Owner;
}

/** Metadata of a child: its name comes from the hostname, so it is the same in every life of the hostname. */
export const childMetadata = (name: string, { namespace, hostname, owner }: ChildManifestInput) => ({
  name,
  namespace,
  labels: managedBy,
  annotations: { [hostnameAnnotation]: hostname },
  ownerReferences: [ownerReference(owner, true)],
});
