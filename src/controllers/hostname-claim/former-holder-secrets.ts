import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { ApplyDependencies } from '../apply-actions.ts';
import { applyActions } from '../apply-actions.ts';
import { SecretKind } from '../../resources/kinds.ts';
import { childName } from '../../rules/dns-target.ts';
import { isAllowed } from '../../kubernetes/access-review.ts';
import { noActions } from '../../controller-runtime/actions.ts';
import type { ReconcileResult, WriteAction } from '../../controller-runtime/actions.ts';
import { claimedHostname } from '../../rules/claim-name.ts';

/** How often to look for a Secret that came back; the operator cannot watch them, as it may not read Secrets. */
const hour = 3_600_000;

/**
 * Deletes, by name, the TLS Secret that a restored backup may have brought back into a former holder's namespace. Where
 * the operator no longer has rights on Secrets, there is no account either, and nothing to do.
 */
export async function deleteFormerHolderSecrets(
  dependencies: ApplyDependencies,
  { metadata, spec }: HostnameClaim,
): Promise<ReconcileResult> {
  const former = (spec.formerHolders ?? []).filter((namespace) => namespace !== spec.holder.namespace);
  if (former.length === 0) return {};
  const name = childName(claimedHostname(metadata.name));
  const writes: WriteAction[] = [];
  for (const namespace of former)
    if (await isAllowed(dependencies.cluster, { namespace, verb: 'delete', resource: 'secrets' }))
      writes.push({ verb: 'remove', kind: SecretKind, key: { namespace, name } });
  await applyActions(dependencies, { ...noActions, writes });
  return { requeueAfterMs: hour };
}

/** The result with the earlier requeue. */
export function soonerResult(one: ReconcileResult, other: ReconcileResult): ReconcileResult {
  if (one.requeueAfterMs === undefined || other.refused !== undefined) return other;
  if (other.requeueAfterMs === undefined) return one;
  return { requeueAfterMs: Math.min(one.requeueAfterMs, other.requeueAfterMs) };
}
