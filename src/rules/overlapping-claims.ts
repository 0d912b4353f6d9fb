import type { HostnameClaim } from '../generated/hostname-claim.ts';
import { isWildcard } from './wildcard.ts';

/**
 * A claim that overlaps with a hostname's: that of the wildcard above it, or, of a wildcard, that of a hostname one label below its base.
 * One that was given up overlaps with nothing.
 */
export interface OverlappingClaim {
  readonly hostname: string;
  readonly account: string;
  readonly phase: Exclude<HostnameClaim['spec']['phase'], 'Tombstone'>;
}

/**
 * What becomes of a claim that is not Held yet. Hold: nothing of another account overlaps. GiveWay: it is given up. Wait: the other one
 * is decided first.
 */
type OverlapDecision = 'Hold' | 'GiveWay' | 'Wait';

/**
 * A wildcard and a hostname that it includes are never held by two accounts: whoever holds one keeps it, and of two that are Pending the
 * hostname goes first. `others` have to be read from the kube-apiserver after this claim was Pending there: then of two that overlap at
 * least one sees the other. So a wildcard gives way to whatever it sees, while a hostname waits for a wildcard that is Pending
 * too, as that may have looked before the hostname was there. Pure.
 */
export function decideOverlap(hostname: string, account: string, others: readonly OverlappingClaim[]): OverlapDecision {
  const foreign = others.filter((other) => other.account !== account);
  if (foreign.length === 0) return 'Hold';
  return isWildcard(hostname) || foreign.some(({ phase }) => phase !== 'Pending') ? 'GiveWay' : 'Wait';
}

/** The first of another account, which keeps this one from being Held; null where there is none. */
export const overlapElsewhere = (
  account: string | undefined,
  others: readonly OverlappingClaim[],
): OverlappingClaim | null => others.find((other) => other.account !== account) ?? null;
