import { X509Certificate } from 'node:crypto';
import type { AcmeAccount } from '../../acme/acme-client.ts';
import { certificateId } from '../../acme/certificate-id.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { timestamp } from '../../rules/conditions.ts';
import type { AcmeOrder } from './order-record.ts';
import { AcmeProblem } from '../../acme/acme-errors.ts';
import { isRefused } from '../../issuing/acme/order-step.ts';
import { isWorthRepeating } from '../../issuing/acme/order-refusal.ts';

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

/**
 * Gives up what was proven for an order that has ended, or is not gone on with, so that no later one rests on it, of whoever holds
 * the hostname then (RFC 8555, section 7.5.2). The chain has to be kept before: with its proofs an order may end at its authority.
 * Resolves to whether the authority had refused one of them, which it counts against the name.
 */
export async function giveUpProofs({ order: url }: AcmeOrder, account: AcmeAccount): Promise<boolean> {
  if (url === undefined) return false;
  const authorizations = await account.order(url).then(({ value }) => value.authorizations, nothingUnlessRepeated);
  const refused = await Promise.all(
    authorizations.map((one) => giveUpProof(one, account).catch(nothingUnlessRepeated)),
  );
  return refused.includes(true);
}

async function giveUpProof(url: string, account: AcmeAccount): Promise<boolean> {
  const { value: authorization } = await account.authorization(url);
  const { status } = authorization;
  if (status === 'valid' || status === 'pending') await account.deactivate(url);
  return isRefused(authorization);
}

/** Throws what is worth another try. Another refusal says that there is nothing to be done any more. */
export function nothingUnlessRepeated(error: unknown): readonly never[] {
  if (!(error instanceof AcmeProblem) || isWorthRepeating(error)) throw error;
  return [];
}
