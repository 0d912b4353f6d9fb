import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import { SecretKind } from '../../resources/kinds.ts';
import { childName } from '../../rules/dns-target.ts';
import { isAllowed } from '../../kubernetes/access-review.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { claimedHostname } from '../../rules/claim-name.ts';

/** How often to look for a Secret that came back; the operator cannot watch them, as it may not read Secrets. */
const hour = 3_600_000;

/**
 * Deletes, by name, the TLS Secret that a restored backup may have brought back into a former holder's namespace. Where
 * the operator no longer has rights on Secrets, there is no account either, and nothing to do.
 */
export async function deleteFormerHolderSecrets(
  { cluster }: { readonly cluster: Cluster },
  { metadata, spec }: HostnameClaim,
): Promise<ReconcileResult> {
  const former = (spec.formerHolders ?? []).filter((namespace) => namespace !== spec.holder.namespace);
  if (former.length === 0) return {};
  const name = childName(claimedHostname(metadata.name));
  for (const namespace of former)
    if (await isAllowed(cluster, { namespace, verb: 'delete', resource: 'secrets' }))
      await cluster.remove(SecretKind, { namespace, name });
  return { requeueAfterMs: hour };
}

/** The result with the earlier requeue. */
export function soonerResult(one: ReconcileResult, other: ReconcileResult): ReconcileResult {
  if (one.requeueAfterMs === undefined || other.refused !== undefined) return other;
  if (other.requeueAfterMs === undefined) return one;
  return { requeueAfterMs: Math.min(one.requeueAfterMs, other.requeueAfterMs) };
}
