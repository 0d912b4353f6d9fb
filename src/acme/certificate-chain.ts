import { X509Certificate } from 'node:crypto';

/** RFC 8555, section 9.1: certificates in PEM, with no text before, between or after them. */
const strict = /^(-----BEGIN CERTIFICATE-----\r?\n(?:[A-Za-z0-9+/=]+\r?\n)+-----END CERTIFICATE-----\s*){1,10}$/;

/** The text, where it is a chain of certificates whose first one can be read; null for anything else. */
export function readChain(text: string): string | null {
  if (!strict.test(text)) return null;
  try {
    return new X509Certificate(text).raw.length > 0 ? text : null;
  } catch {
    return null;
  }
}

/** Common name of the root below which a chain ends: the issuer of its last certificate. Null where that has none or cannot be read. */
export function rootOf(chain: string): string | null {
  const last = chain.slice(chain.lastIndexOf('-----BEGIN CERTIFICATE-----'));
  try {
    const { CN } = new X509Certificate(last).toLegacyObject().issuer;
    return typeof CN === 'string' ? CN : null;
  } catch {
    return null;
  }
}

/** True where both chains, which can be read, are of the same certificate. */
export const isSameCertificate = (one: string, other: string): boolean =>
  new X509Certificate(one).raw.equals(new X509Certificate(other).raw);
