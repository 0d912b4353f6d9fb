import { X509Certificate } from 'node:crypto';
import type { AcmeAccount } from '../../acme/acme-client.ts';
import { certificateId } from '../../acme/certificate-id.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { timestamp } from '../../rules/conditions.ts';
import { nothingUnlessRepeated } from './give-up-proofs.ts';
import type { AcmeOrder } from './order-ports.ts';

type CertificateFacts = Pick<AcmeOrder, 'certificate' | 'download' | 'notAfter'>;

/** The same bound as the claim's schema: a certificate at a longer URL cannot be revoked later. */
const urlAtMost = 512;

/**
 * What is remembered of a certificate: how its authority names it, if it has renewal information, where its account gets it, and when it
 * ends.
 */
export function certificateFacts(chain: string, download: string): CertificateFacts {
  const certificate = certificateId(chain);
  const notAfter = timestamp(new X509Certificate(chain).validToDate.getTime());
  return {
    ...(certificate === null ? {} : { certificate }),
    ...(download.length > urlAtMost ? {} : { download }),
    notAfter,
  };
}

/**
 * The same of an order that is closed although another process, or nobody, saw its certificate. To be asked before its proofs are given up:
 * from then on the order is invalid (RFC 8555, section 7.1.6), and Boulder names the certificate of a valid one alone. Null where it has
 * none, or it is remembered already; `UnderWay` while the authority issues it.
 */
export async function certificateLeft(
  { order: url, download: known }: AcmeOrder,
  account: Pick<AcmeAccount, 'order' | 'chain'>,
): Promise<CertificateFacts | 'UnderWay' | null> {
  if (url === undefined || known !== undefined) return null;
  const order = await orNull(account.order(url));
  if (order?.value.status === 'processing') return 'UnderWay';
  const download = order?.value.certificate;
  const chain = download === undefined ? null : await orNull(account.chain(download, null));
  return chain === null || download === undefined ? null : certificateFacts(chain, download);
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    nothingUnlessRepeated(error);
    return null;
  }
}

/** The id of the hostname's last certificate, if this account ordered it: another one may not replace it. */
export function predecessor({ spec }: Pick<HostnameClaim, 'spec'>, account: string): string | null {
  const { acme } = spec.orders?.findLast(({ outcome }) => outcome === 'Issued') ?? {};
  return acme?.account === account ? (acme.certificate ?? null) : null;
}
