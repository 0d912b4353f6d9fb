import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { Revocation, RevocationRequest } from '../../issuing/revocations.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import { printable } from '../../lib/printable.ts';

/** A certificate that is to be revoked, or was. */
export interface ReportedCertificate {
  /** hexadecimal, as openssl prints it; null where the authority has no renewal information, which it is taken from */
  readonly serial: string | null;
  /** RFC 3339; null while it is not issued */
  readonly notAfter: string | null;
  /** null while it has still to be revoked */
  readonly result: NonNullable<Revocation['result']> | null;
  /** why not, as far as that is known; '' without */
  readonly message: string;
}

/** How far a request is. */
export interface RevocationReport {
  readonly hostname: string;
  readonly reason: RevocationRequest['reason'];
  readonly requestedAt: string;
  /**
   * `overtaken`: the claim has another request, or none, as after a transfer; `open`: the operator is at it, or has not seen it; `failed`: it
   * is done, and a certificate could not be revoked
   */
  readonly outcome: 'open' | 'revoked' | 'failed' | 'overtaken';
  /** the operator has a certificate with a new key issued */
  readonly isReplaced: boolean;
  readonly certificates: readonly ReportedCertificate[];
}

type Requested = Pick<RevocationRequest, 'reason' | 'requestedAt'>;

const failures: ReadonlySet<string> = new Set<NonNullable<Revocation['result']>>([
  'AccountGone',
  'Unavailable',
  'Refused',
]);

/** Reads how far a request is off the claim; undefined for one that is gone. */
export function revocationReport(
  claim: HostnameClaim | undefined,
  hostname: string,
  { reason, requestedAt }: Requested,
): RevocationReport {
  const { revocation, orders = [] } = claim?.spec ?? {};
  const certificates = orders
    .filter((order) => order.revocation?.since === requestedAt)
    .map(({ acme, revocation: own }) => ({
      serial: serialOf(acme),
      notAfter: acme?.notAfter ?? null,
      result: own?.result ?? null,
      message: own?.message ?? '',
    }));
  const isReplaced = revocation?.replacingSince !== undefined;
  return {
    hostname,
    reason,
    requestedAt,
    outcome: outcomeOf(revocation, requestedAt, certificates),
    isReplaced,
    certificates,
  };
}

function outcomeOf(
  revocation: RevocationRequest | undefined,
  requestedAt: string,
  certificates: readonly ReportedCertificate[],
): RevocationReport['outcome'] {
  if (revocation?.requestedAt !== requestedAt) return 'overtaken';
  if (revocation.doneAt === undefined) return 'open';
  return certificates.some(({ result }) => failures.has(result ?? '')) ? 'failed' : 'revoked';
}

/** The second half of the certificate's id (RFC 9773, section 4.1). */
function serialOf(acme: OrderEntry['acme']): string | null {
  const serial = acme?.certificate?.split('.')[1];
  return serial === undefined ? null : Buffer.from(serial, 'base64url').toString('hex').toUpperCase();
}

const words: Readonly<Record<NonNullable<Revocation['result']> | 'open', string>> = {
  open: 'not revoked yet',
  Revoked: 'revoked',
  Expired: 'expired before it was revoked',
  NotIssued: 'was never issued',
  AccountGone: 'cannot be revoked',
  Unavailable: 'cannot be revoked',
  Refused: 'not revoked',
};

/** `certificate 04A1…, valid until 2027-02-19T08:11:00Z: revoked`. */
export function printCertificate({ serial, notAfter, result, message }: ReportedCertificate): string {
  const named = serial === null ? 'a certificate' : `certificate ${serial}`;
  const until = notAfter === null ? '' : `, valid until ${notAfter}`;
  const why = message === '' ? '' : `: ${printable(message)}`;
  return `${named}${until}: ${words[result ?? 'open']}${why}`;
}
