import type { EventRecord, KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { ordersOfHolder } from '../../issuing/order-history.ts';
import type { Revocation } from '../../issuing/revocations.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import type { EventReason } from '../../rules/reasons.ts';

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
