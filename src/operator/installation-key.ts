import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import { createHmacKey, readHmacKey } from '../kubernetes/hmac-secret.ts';
import { HostnameClaimKind } from '../resources/kinds.ts';

/** Name of the Secret that all targets and tokens are drawn from; kept on uninstall, part of every backup. */
export const installationKeyName = 'projectdomain-hmac';

/**
 * The HMAC key, made at the very first start. Refuses to make a new one while claims exist: every target and token that
 * customers put into DNS would be worth nothing.
 */
export async function installationKey(cluster: Cluster, namespace: string): Promise<Uint8Array> {
  const key = { namespace, name: installationKeyName };
  const kept = await readHmacKey(cluster, key);
  if (kept) return kept;
  const claims = await cluster.list(HostnameClaimKind);
  if (claims.length > 0) {
    throw new Error(
      `Secret ${namespace}/${installationKeyName} is missing while ${claims.length} hostnames are claimed; restore it from the backup, for a new one would make every customer's DNS record worthless`,
    );
  }
  return createHmacKey(cluster, key);
}
