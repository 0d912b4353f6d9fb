import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { Cluster } from '../../kube/port.ts';
import { SecretKind } from '../../model/kinds.ts';
import { childName } from '../../model/target.ts';
import { isAllowed } from '../account/access-review.ts';
import type { Outcome } from '../plan.ts';

/** How often a Secret that came back is looked for: nobody tells of one, as Secrets are not read. */
const hour = 3_600_000;

/**
 * Deletes, by its name, the TLS Secret that a backup may have brought back where the hostname was held before. Where the
 * operator has no right to Secrets any longer there is no account either, and nothing to be done.
 */
export async function sweepFormerHolders(
  { cluster }: { readonly cluster: Cluster },
  { metadata, spec }: HostnameClaim,
): Promise<Outcome> {
  const former = (spec.formerHolders ?? []).filter((namespace) => namespace !== spec.holder.namespace);
  if (former.length === 0) return {};
  const name = childName(metadata.name);
  for (const namespace of former)
    if (await isAllowed(cluster, { namespace, verb: 'delete', resource: 'secrets' }))
      await cluster.remove(SecretKind, { namespace, name });
  return { revisitAfterMs: hour };
}

/** The earlier of two visits. */
export function sooner(one: Outcome, other: Outcome): Outcome {
  if (one.revisitAfterMs === undefined) return other;
  if (other.revisitAfterMs === undefined) return one;
  return { revisitAfterMs: Math.min(one.revisitAfterMs, other.revisitAfterMs) };
}
