import { z } from 'zod';
import type { OwnCertificateView } from '../use-cases/own-certificates.ts';
import { bounded, describing, time } from './schemas.ts';

/** Bodies of the calls about certificates of customers' own. */

/** Within the limit of a body; five certificates with many names are far below. */
const pem = bounded(49_152).min(1);

export const certificateNew = z
  .strictObject({
    certificate: pem.meta({
      description:
        'PEM: the certificate of the hostname, and after each certificate the one that signed it, up to a root.',
    }),
    privateKey: pem.meta({
      description:
        'PEM, without a passphrase: ECDSA on P-256 or P-384, or RSA with 2048 to 4096 bits. It is never shown again.',
      writeOnly: true,
    }),
  })
  .meta({ id: 'NewCertificate', description: 'A certificate of one’s own, with its key.' });

export const ownCertificate = describing<OwnCertificateView>()(
  z
    .strictObject({
      issuer: z.string(),
      names: z.array(z.string()).meta({ description: 'The hostnames that it is for.' }),
      fingerprint: z.string().meta({ description: 'SHA-256 of the certificate, hexadecimal.' }),
      notBefore: time,
      notAfter: time.meta({ description: 'When it ends, or a certificate of its chain does, whichever comes first.' }),
      served: z.boolean().meta({ description: 'Whether visitors are answered with it yet.' }),
    })
    .meta({ id: 'OwnCertificate', description: 'A certificate of one’s own, without its key.' }),
);
