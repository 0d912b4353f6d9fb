import { X509Certificate } from 'node:crypto';

/** Roots of one name that are tried: a signature is computed for each. */
const triedAtMost = 4;

/**
 * Whether one of these roots signed a certificate. `pems` are the roots that browsers know, as Node has them; they are read when the
 * first certificate asks, some ten milliseconds once.
 */
export function publicRoots(pems: readonly string[]): (certificate: X509Certificate) => boolean {
  let roots: readonly X509Certificate[] | null = null;
  return (certificate) => {
    roots ??= pems.map((pem) => new X509Certificate(pem));
    const candidates = roots.filter((root) => certificate.checkIssued(root)).slice(0, triedAtMost);
    return candidates.some((root) => certificate.verify(root.publicKey));
  };
}
