import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';

/** What Pebble says of a certificate. */
export interface CertificateStatus {
  readonly Status: 'Valid' | 'Revoked';
  /** of RFC 5280, section 5.3.1; absent where none was given */
  readonly Reason?: number;
}

interface Pebble {
  /** URL of its own interface */
  readonly management: string;
  /** PEM that vouches for it */
  readonly ca: string;
}

/** Of a certificate in PEM. */
export function certificateStatus({ management, ca }: Pebble, pem: string): Promise<CertificateStatus> {
  const { serialNumber } = new X509Certificate(pem);
  return new Promise((resolve, reject) => {
    const options = { ca, agent: false, timeout: 5_000 };
    const ask = request(`${management}/cert-status-by-serial/${serialNumber}`, options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(JSON.parse(text) as CertificateStatus));
    });
    ask.on('timeout', () => ask.destroy(new Error('timeout')));
    ask.on('error', reject);
    ask.end();
  });
}
