import { claimName } from './claim-name.ts';
import { isWildcard, wildcardAbove } from './wildcard.ts';

/** Set by an administrator on a HostnameClaim, in any phase; its value says why. */
export const suspendAnnotation = 'projectdomain.io/suspend';

/** What is read of a claim to know whether its hostname is suspended. */
export interface SuspendableClaim {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

/** More suspended hostnames than this one label below a base, and its wildcard is suspended as a whole: an edge has that many names in one rule. */
export const suspendedBelowAtMost = 16;

/** Conditions have room for a sentence. */
const reasonAtMost = 256;

/** The administrator's reason for suspending the claim; null while it is not suspended. */
export function suspensionReason(claim: SuspendableClaim | undefined): string | null {
  const why = claim?.metadata.annotations?.[suspendAnnotation];
  return why === undefined ? null : why.slice(0, reasonAtMost);
}

export const isSuspended = (claim: SuspendableClaim | undefined): boolean => suspensionReason(claim) !== null;

/** The claims that decide whether a hostname is suspended. */
export interface SuspensionClaims {
  /** of the hostname itself */
  readonly claim: SuspendableClaim | undefined;
  /** of the wildcard that includes it */
  readonly claimAbove: SuspendableClaim | undefined;
  /** how many claims one label below its base are suspended, of a wildcard */
  readonly suspendedBelow: number;
}

/**
 * Why a hostname must not be served, whatever serves it and whoever holds it, as a sentence; null where it may be. A suspended wildcard
 * suspends every hostname that it includes, as each could be added again on its own. Pure.
 */
export function suspendedBecause(
  hostname: string,
  { claim, claimAbove, suspendedBelow }: SuspensionClaims,
): string | null {
  const own = suspensionReason(claim);
  if (own !== null) return `suspended by an administrator: ${own}`;
  const above = suspensionReason(claimAbove);
  if (above !== null) return `suspended by an administrator with ${wildcardAbove(hostname)}: ${above}`;
  if (!isWildcard(hostname) || suspendedBelow <= suspendedBelowAtMost) return null;
  return `an administrator suspended ${suspendedBelow} hostnames below it, and no wildcard is served with more than ${suspendedBelowAtMost}`;
}

/** The same of a hostname that is no wildcard, for whoever finds claims by their name. */
export function isHostnameSuspended(
  hostname: string,
  claimNamed: (name: string) => SuspendableClaim | undefined,
): boolean {
  const above = wildcardAbove(hostname);
  return isSuspended(claimNamed(claimName(hostname))) || (above !== null && isSuspended(claimNamed(claimName(above))));
}
