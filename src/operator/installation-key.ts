import type { Cluster, ObjectKey } from '../kubernetes/kubernetes-port.ts';
import { HostnameClaimKind, SecretKind } from '../resources/kinds.ts';
import { randomBytes } from 'node:crypto';
import { isConflict } from '../kubernetes/kubernetes-errors.ts';

/** Name of the Secret from which all targets and ownership values are derived; kept on uninstall, in every backup. */
export const installationKeyName = 'projectdomain-hmac';

/**
 * The HMAC key, created at the first start. Throws instead of creating a new one while claims exist: it would
 * invalidate every target and ownership value that customers have put into DNS.
 */
export async function installationKey(cluster: Cluster, namespace: string): Promise<Uint8Array> {
  const key = { namespace, name: installationKeyName };
  const kept = await readHmacKey(cluster, key);
  if (kept) return kept;
  const claims = await cluster.list(HostnameClaimKind);
  if (claims.length > 0) {
    throw new Error(
      `Secret ${namespace}/${installationKeyName} is missing while ${claims.length} hostnames are claimed; restore it from the backup: a new one would invalidate every customer's DNS records`,
    );
  }
  return createHmacKey(cluster, key);
}

const field = 'key';
const bytes = 32;

/** The key in a Secret, or undefined when there is no Secret yet. Throws when the Secret contains something else. */
export async function readHmacKey(cluster: Cluster, key: ObjectKey): Promise<Uint8Array | undefined> {
  const secret = await cluster.get(SecretKind, key);
  if (!secret) return undefined;
  const value = Buffer.from(secret.data?.[field] ?? '', 'base64');
  if (value.length < bytes)
    throw new Error(`Secret ${key.namespace}/${key.name} does not contain a key of ${bytes} bytes under '${field}'`);
  return value;
}

/** Generates and stores the key; two concurrent callers both return the one that was stored. */
async function createHmacKey(cluster: Cluster, key: ObjectKey): Promise<Uint8Array> {
  const { apiVersion, kind } = SecretKind;
  const data = { [field]: randomBytes(bytes).toString('base64') };
  try {
    await cluster.create(SecretKind, { apiVersion, kind, metadata: { ...key }, type: 'Opaque', immutable: true, data });
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
  const kept = await readHmacKey(cluster, key);
  if (!kept) throw new Error(`Secret ${key.namespace}/${key.name} was created but cannot be read`);
  return kept;
}

/** The uid of an empty Secret, which is created when missing. */
export async function uidOfSecret(cluster: Cluster, key: ObjectKey): Promise<string> {
  const { apiVersion, kind } = SecretKind;
  const found =
    (await cluster.get(SecretKind, key)) ??
    (await cluster.create(SecretKind, { apiVersion, kind, metadata: { ...key }, type: 'Opaque' }));
  if (!found.metadata.uid) throw new Error(`Secret ${key.namespace}/${key.name} has no uid`);
  return found.metadata.uid;
}
