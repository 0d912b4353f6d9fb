import { rejectionCodesUnprepared } from '../../use-cases/finding-to-problem.ts';
import { certificateCost } from '../../use-cases/quota-admission.ts';
import { removeCertificate, replaceCertificate, showCertificate } from '../../use-cases/own-certificates.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { certificateNew, ownCertificate } from '../certificate-schemas.ts';

const path = '/v1/projects/{project}/domains/{hostname}/certificate';

const showCertificateCall = apiCall({
  method: 'get',
  path,
  name: 'showCertificate',
  summary: 'The domain’s own certificate: issuer, names, fingerprint and dates',
  scope: showCertificate.scope,
  successes: { 200: { description: 'The certificate, without its key.', schema: ownCertificate } },
  problems: ['not-found', 'account-not-ready'],
  handle: async (request) => ({ status: 200, body: await showCertificate(request, request.params) }),
});

const replaceCertificateCall = apiCall({
  method: 'put',
  path,
  name: 'replaceCertificate',
  summary: 'Serves the domain with a certificate of one’s own; no other is ordered until it is deleted',
  scope: replaceCertificate.scope,
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
