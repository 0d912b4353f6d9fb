import { X509Certificate } from 'node:crypto';
import { AcmeUnavailable } from '../../acme/acme-errors.ts';
import type { SigningRequest } from '../signing-request.ts';

/** The chain as it is. Throws AcmeUnavailable where its certificate is not of the key that asked for it. */
export function issuedChain(chain: string, { publicKey }: SigningRequest): string {
  const key = new X509Certificate(chain).publicKey.export({ format: 'der', type: 'spki' });
  if (!key.equals(publicKey)) throw new AcmeUnavailable('the certificate is of another key than was asked for');
  return chain;
}
