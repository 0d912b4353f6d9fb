import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { Revocation } from '../../issuing/revocations.ts';
import { isOver } from '../../issuing/revocations.ts';
import { hours, minutes } from '../../rules/check-schedule.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import type { RegisteredAccount } from '../acme-issuer/registered-accounts.ts';
import type { EventRecord, KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { ordersOfHolder } from '../../issuing/order-history.ts';
import type { EventReason } from '../../rules/reasons.ts';

/** Everything that is decided from about a certificate that is to be revoked now, frozen. */
export interface RevocationSnapshot {
  /** milliseconds since the Unix epoch */
  readonly now: number;
  readonly claim: HostnameClaim;
  /** one whose revocation is open */
  readonly order: OrderEntry;
  /** the account that ordered it; undefined while it cannot be used */
  readonly account: RegisteredAccount | undefined;
  /** an AcmeIssuer has that account, or one that is not registered yet and could be it */
  readonly isKnown: boolean;
}

/** What a certificate that is to be revoked needs. */
export type NextForRevocation =
  /** `because` is a sentence for people; null where there is nothing that they could do */
  | { readonly next: 'Wait'; readonly forMs: number; readonly because: string | null }
  /** there is nothing to revoke, or nobody to do it */
  | { readonly next: 'End'; readonly result: NonNullable<Revocation['result']>; readonly message?: string }
  | { readonly next: 'Revoke'; readonly account: RegisteredAccount; readonly download: string };

/** Whatever ends an order changes its claim, and that brings it back before. */
const untilOrderEnds = 10 * minutes;
const untilRegistered = 30_000;
/** How long after a claim was restored from a backup its issuer may still be missing; a claim is restored by being created. */
const restoring = 1 * hours;
const isAway = 'the ACME account that ordered it cannot be used now; the status of its AcmeIssuer says why';

/** Decides from what the claim remembers. Every certificate ends, and so does this. Pure. */
export function decideRevocation({ now, claim, order, account, isKnown }: RevocationSnapshot): NextForRevocation {
  const { outcome, acme } = order;
  if (outcome === 'Pending') return { next: 'Wait', forMs: untilOrderEnds, because: null };
  if (acme?.download === undefined) return withoutCertificate(outcome);
  if (isOver(acme.notAfter, now)) return { next: 'End', result: 'Expired' };
  if (account) return { next: 'Revoke', account, download: acme.download };
  const isRestored = now - Date.parse(claim.metadata.creationTimestamp ?? '') < restoring;
  if (isKnown || isRestored) return { next: 'Wait', forMs: untilRegistered, because: isAway };
  return { next: 'End', result: 'AccountGone', message: `no AcmeIssuer has the account ${acme.account} any more` };
}

const withoutCertificate = (outcome: OrderEntry['outcome']): NextForRevocation =>
  outcome === 'Failed' || outcome === 'Abandoned'
    ? { next: 'End', result: 'NotIssued' }
    : { next: 'End', result: 'Unavailable', message: 'it is not known where the authority has the certificate' };

/** How the revocation of a certificate ended. */
export interface EndedRevocation {
  readonly reason: Revocation['reason'];
  readonly result: NonNullable<Revocation['result']>;
}

interface Told {
  readonly claim: HostnameClaim;
  /** the object that holds the hostname; undefined where none is seen */
  readonly holder: KubernetesObject | undefined;
  readonly order: OrderEntry;
  readonly message: string | undefined;
}

/** Nothing was there to be revoked, so that nobody need know. */
const isSilent = ({ result }: EndedRevocation): boolean => result === 'Expired' || result === 'NotIssued';

/** The event about it: for the holder, or, where the certificate was another's, for administrators alone. Null for none. */
export function revocationEvent(
  ended: EndedRevocation,
  { claim, holder, order, message = 'the authority refuses' }: Told,
): EventRecord | null {
  if (isSilent(ended)) return null;
  const isHolders = ordersOfHolder(claim).some(({ request }) => request === order.request);
  const about = (isHolders ? holder : undefined) ?? claim;
  const certificate = `the certificate that is valid until ${order.acme?.notAfter ?? 'an unknown time'}`;
  if (ended.result === 'Revoked')
    return {
      about,
      type: 'Normal',
      reason: 'CertificateRevoked' satisfies EventReason,
      message: `${certificate} was revoked (${ended.reason})`,
    };
  return {
    about,
    type: 'Warning',
    reason: 'CertificateNotRevoked' satisfies EventReason,
    message: `${certificate} could not be revoked (${ended.reason}): ${message}`,
  };
}
