import { HostnameClaimKind } from '../../resources/kinds.ts';
import { claimKey } from '../../rules/claim-name.ts';
import type { OverlappingClaim } from '../../rules/overlapping-claims.ts';
import { isWildcard, wildcardAbove } from '../../rules/wildcard.ts';
import { foreignBelow, overlapOf } from '../overlapping-claims.ts';
import type { ReconcilerDependencies } from '../reconciler-dependencies.ts';
import type { GatheredProjectDomain } from './project-domain-snapshot.ts';

/**
 * The claims that overlap with one that is Pending, with what the kube-apiserver shows now: a cache that is being filled anew has the claim
 * before others that were made earlier. Asks only for a claim that is Pending, which is once in its life.
 */
export async function liveOverlaps(
  { cluster }: Pick<ReconcilerDependencies, 'cluster'>,
  {
    claim,
    claimRelation,
    domain,
    overlaps,
  }: Pick<GatheredProjectDomain, 'claim' | 'claimRelation' | 'domain' | 'overlaps'>,
): Promise<readonly OverlappingClaim[]> {
  const { hostname } = domain.spec;
  const above = wildcardAbove(hostname);
  if (!claim || claimRelation.kind !== 'Pending') return overlaps;
  if (!isWildcard(hostname))
    return above === null ? [] : overlapOf(await cluster.get(HostnameClaimKind, claimKey(above)));
  const labelSelector = foreignBelow(hostname, claim.spec.account);
  const found = await cluster.list(HostnameClaimKind, { labelSelector });
  return [...overlaps, ...found.flatMap(overlapOf)];
}
