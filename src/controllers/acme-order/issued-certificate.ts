import { X509Certificate } from 'node:crypto';
import { certificateId } from '../../acme/certificate-id.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { timestamp } from '../../rules/conditions.ts';
import type { AcmeOrder } from './order-ports.ts';

/** What is remembered of a certificate: how its authority names it, if it has renewal information, and when it ends. */
export function certificateFacts(chain: string): Pick<AcmeOrder, 'certificate' | 'notAfter'> {
  const certificate = certificateId(chain);
  const notAfter = timestamp(new X509Certificate(chain).validToDate.getTime());
  return certificate === null ? { notAfter } : { certificate, notAfter };
}

/** The id of the hostname's last certificate, if this account ordered it: another one may not replace it. */
export function predecessor({ spec }: Pick<HostnameClaim, 'spec'>, account: string): string | null {
  const { acme } = spec.orders?.findLast(({ outcome }) => outcome === 'Issued') ?? {};
  return acme?.account === account ? (acme.certificate ?? null) : null;
}
