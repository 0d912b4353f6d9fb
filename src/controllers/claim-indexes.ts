import type { HostnameClaim } from '../generated/hostname-claim.ts';
import { claimedHostname } from '../rules/claim-name.ts';
import { isSuspended } from '../rules/claim-suspension.ts';
import { baseOf, wildcardAbove } from '../rules/wildcard.ts';
import { isLeaving } from '../rules/leaving.ts';

/** Index value of the claims of an account one label below a base. */
export const belowAndOfAccount = (base: string, account: string): string => `${base} ${account}`;

/** Index values of a suspended claim, in any phase, by which the wildcard that includes its hostname finds it: the base. */
export function indexSuspendedBelow(claim: HostnameClaim): readonly string[] {
  const above = wildcardAbove(claimedHostname(claim.metadata.name));
  return above === null || !isSuspended(claim) ? [] : [baseOf(above)];
}

/**
 * Index values of a claim by which a wildcard finds it: the base that it is one label below, and the same with its account. None for
 * what overlaps with no wildcard: one that was given up, and the platform's own, as no customer's wildcard includes those.
 */
export function indexBelow({ metadata, spec }: HostnameClaim): readonly string[] {
  const above = wildcardAbove(claimedHostname(metadata.name));
  if (above === null || spec.phase === 'Tombstone' || spec.proof.method === 'Platform') return [];
  return [baseOf(above), belowAndOfAccount(baseOf(above), spec.account)];
}

/** The value of the index of claims that have something under way: a new leader looks at their orders at once. */
export const unsettledValue = '';

export function unsettledClaim(claim: HostnameClaim): readonly string[] {
  const { phase, formerHolders = [], orders = [] } = claim.spec;
  const isSettled =
    !isLeaving(claim) &&
    phase === 'Held' &&
    formerHolders.length === 0 &&
    orders.every(({ outcome }) => outcome !== 'Pending');
  return isSettled ? [] : [unsettledValue];
}
