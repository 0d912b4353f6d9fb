import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { Certificate } from '../../resources/cert-manager-types.ts';
import { hours } from '../../rules/check-schedule.ts';
import { findCondition, isTrue } from '../../rules/conditions.ts';
import { shareOf } from '../../rules/next-dns-check.ts';
import type { AcmeOrder } from './order-record.ts';

/** An order whose certificate is served, and that its authority may wish to be renewed. */
export type IssuedOrder = AcmeOrder & { readonly certificate: string };

/** How often an authority is asked for a certificate, where it does not say when; and the bounds of what it may say. */
export const askAgain = 6 * hours;
const soonest = 1 * hours;
const latest = 24 * hours;
/** The same where it does not answer: short beside the window of a short-lived certificate, which is three hours wide. */
export const afterSilence = 1 * hours;

/**
 * The order that the hostname's certificate came of, while that is served and nothing is under way; null otherwise, as for a
 * certificate that was restored from a backup or ordered by somebody else.
 */
export function servedOrder(claim: HostnameClaim, certificate: Certificate | undefined): IssuedOrder | null {
  const { outcome, acme } = claim.spec.orders?.at(-1) ?? {};
  if (claim.spec.phase !== 'Held' || outcome !== 'Issued' || acme?.certificate === undefined) return null;
  return servedUntil(certificate) === acme.notAfter ? { ...acme, certificate: acme.certificate } : null;
}

/** When the certificate that is served ends, as its status has it, while no other one is being issued; null otherwise. */
export function servedUntil(certificate: Certificate | undefined): string | null {
  const { conditions, notAfter = null } = certificate?.status ?? {};
  const isServed = isTrue(findCondition(conditions, 'Ready'));
  return isServed && !isTrue(findCondition(conditions, 'Issuing')) ? notAfter : null;
}

interface Window {
  readonly start: number;
  readonly end: number;
}

/** The certificate's own moment in the window that its authority suggests (RFC 9773, section 4.2), the same after every restart. */
export const momentIn = ({ start, end }: Window, { metadata }: Pick<HostnameClaim, 'metadata'>): number =>
  start + shareOf(metadata.uid) * (end - start);

/** Until the authority is asked again, milliseconds: when it says, within bounds, or when the moment comes. */
export function untilAskedAgain(retryAfterMs: number | null, moment: number, now: number): number {
  const pause = Math.min(latest, Math.max(soonest, retryAfterMs ?? askAgain));
  return Math.max(0, Math.min(pause, moment - now));
}
