import { X509Certificate } from 'node:crypto';

/**
 * Whether one of these roots signed a certificate. `pems` are the roots that browsers know, as Node has them; they are read when the
 * first certificate asks, some ten milliseconds once.
 */
export function publicRoots(pems: readonly string[]): (certificate: X509Certificate) => boolean {
  let roots: readonly X509Certificate[] | null = null;
  return (certificate) => {
    roots ??= pems.map((pem) => new X509Certificate(pem));
    return roots.some((root) => certificate.checkIssued(root) && certificate.verify(root.publicKey));
  };
}
