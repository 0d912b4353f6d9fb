import type { HostnameClaim } from '../generated/hostname-claim.ts';
import { isLeaving } from '../rules/leaving.ts';

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
