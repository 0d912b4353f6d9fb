import { rejectionCodesUnprepared } from '../../use-cases/error-to-problem.ts';
import type { OwnCertificateView } from '../../use-cases/own-certificates.ts';
import { removeCertificate, replaceCertificate, showCertificate } from '../../use-cases/own-certificates.ts';
import { certificateCost } from '../../use-cases/quota-admission.ts';
import { certificateVersion } from '../../use-cases/versions.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { bounded, describing, saying, time } from '../schemas.ts';
import { z } from 'zod';

/** Bodies of the calls about certificates of customers' own. */

/** Within the limit of a body; five certificates with many names are far below. */
const pem = bounded(49_152).min(1);

const certificateNew = z
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

const ownCertificate = describing<OwnCertificateView>()(
  z
    .strictObject({
      issuer: saying(z.string(), 'Who signed it, by its distinguished name.'),
      names: z.array(z.string()).meta({ description: 'The hostnames that it is for.' }),
      fingerprint: z.string().meta({ description: 'SHA-256 of the certificate, hexadecimal.' }),
      notBefore: saying(time, 'When it began.'),
      notAfter: time.meta({ description: 'When it ends, or a certificate of its chain does, whichever comes first.' }),
      served: z.boolean().meta({ description: 'Whether visitors are answered with it yet.' }),
    })
    .meta({ id: 'OwnCertificate', description: 'A certificate of one’s own, without its key.' }),
);

const path = '/v1/projects/{project}/domains/{hostname}/certificate';

const showCertificateCall = apiCall({
  method: 'get',
  path,
  name: 'showCertificate',
  summary: 'The domain’s own certificate: issuer, names, fingerprint and dates',
  scope: showCertificate.scope,
  conditional: true,
  successes: { 200: { description: 'The certificate, without its key.', schema: ownCertificate } },
  problems: ['not-found', 'account-not-ready'],
  handle: async (request) => ({
    status: 200,
    version: await certificateVersion(request, request.params),
    body: await showCertificate(request, request.params),
  }),
});

const replaceCertificateCall = apiCall({
  method: 'put',
  idempotency: 'by-name',
  path,
  name: 'replaceCertificate',
  summary: 'Serves the domain with a certificate of one’s own; no other is ordered until it is deleted',
  scope: replaceCertificate.scope,
  conditional: true,
  cost: () => certificateCost,
  body: certificateNew,
  successes: { 200: { description: 'The certificate is served within seconds.', schema: ownCertificate } },
  problems: [
    ...rejectionCodesUnprepared,
    'hostname-not-held',
    'invalid-certificate',
    'conflict',
    'write-refused',
    'cluster-unavailable',
  ],
  handle: async (request) => ({
    status: 200,
    body: await replaceCertificate(request, { ...request.params, sent: request.body }),
  }),
});

const removeCertificateCall = apiCall({
  method: 'delete',
  path,
  name: 'removeCertificate',
  summary: 'Goes back to automatic certificates; one’s own is served until the first of them is issued',
  scope: removeCertificate.scope,
  conditional: true,
  successes: { 204: { description: 'An automatic certificate is ordered.', schema: null } },
  problems: ['not-found', 'account-not-ready', 'conflict', 'write-refused', 'cluster-unavailable'],
  async handle(request) {
    await removeCertificate(request, request.params);
    return { status: 204 };
  },
});

/** Certificates of customers' own. */
export const certificateCalls: readonly ApiCall[] = [
  showCertificateCall,
  replaceCertificateCall,
  removeCertificateCall,
];
