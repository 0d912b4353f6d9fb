import type { HostnameClaim } from '../generated/hostname-claim.ts';

/** How many are remembered (the same bound stands in crds/hostname-claim.yaml). */
const atMost = 8;

/**
 * Namespaces that held a name before `namespace` takes it, the latest last and each once: a TLS Secret of the name that a
 * backup brings back there must not serve again. Undefined where there are none, so that a claim is written without.
 */
export function formerHolders(
  before: HostnameClaim['spec'] | undefined,
  namespace: string,
): readonly string[] | undefined {
  if (before === undefined) return undefined;
  const latestFirst = [before.holder.namespace, ...(before.formerHolders ?? []).toReversed()];
  const others = [...new Set(latestFirst)].filter((former) => former !== namespace).slice(0, atMost);
  return others.length === 0 ? undefined : others.toReversed();
}
