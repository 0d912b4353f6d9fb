import { X509Certificate } from 'node:crypto';
import type { AcmeAccount } from '../../acme/acme-client.ts';
import { AcmeProblem } from '../../acme/acme-errors.ts';
import type { Revocation } from '../../issuing/revocations.ts';

/**
 * Has a certificate revoked by the account that ordered it (RFC 8555, section 7.6): the authority gives it once more, so that no Secret
 * is read. One that is revoked already is no error. Rejects with AcmeProblem or AcmeUnavailable.
 */
export async function revokeCertificate(
  { chain, revoke }: Pick<AcmeAccount, 'chain' | 'revoke'>,
  download: string,
  reason: Revocation['reason'],
): Promise<void> {
  const { raw } = new X509Certificate(await chain(download, null));
  try {
    await revoke(raw, reason);
  } catch (error) {
    if (!isAboutReason(error) || reason === 'unspecified') throw error;
    await revoke(raw, 'unspecified');
  }
}

/** An authority may permit some reasons alone, and a certificate is better revoked for none than not at all. */
const isAboutReason = (error: unknown): boolean => error instanceof AcmeProblem && error.type === 'badRevocationReason';
