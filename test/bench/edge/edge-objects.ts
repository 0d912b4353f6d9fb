import { withHash } from '../../../src/kubernetes/applied-intent.ts';
import type { Intent } from '../../../src/kubernetes/kubernetes-port.ts';
import { certificateManifest } from '../../../src/issuing/certificate-manifest.ts';
import type { Owner } from '../../../src/resources/object-metadata.ts';
import { ownerReference } from '../../../src/resources/object-metadata.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { issuerName } from '../../../dev/platform/services.ts';
import type { IssuedFiles } from './edge-certificates.ts';

/** A hostname in a namespace; `owner` stands in for the ProjectDomain, which nobody here reads. */
export interface EdgeHostname {
  readonly hostname: string;
  readonly namespace: string;
  readonly owner: Owner;
}

/** The Service that a customer's project leads to. */
export const backendName = 'web';
export const backendPort = 8_080;

const issuer = { group: 'cert-manager.io', kind: 'ClusterIssuer', name: issuerName } as const;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const condition = (type: string, reason: string, message: string, at: Date) => ({
  type,
  status: 'True',
  reason,
  message,
  lastTransitionTime: timestamp(at),
});

/** Seconds, as Kubernetes writes times. */
const timestamp = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, 'Z');

/** The Certificate as the operator writes it. */
export const edgeCertificate = (wanted: EdgeHostname): Intent => withHash(certificateManifest(wanted, issuer));

/** What cert-manager says of a Certificate that it has issued and that needs nothing. */
export function readyStatus({ notBefore, notAfter }: IssuedFiles) {
  const lifetime = notAfter.getTime() - notBefore.getTime();
  return {
    conditions: [
      {
        ...condition('Ready', 'Ready', 'Certificate is up to date and has not expired', notBefore),
        observedGeneration: 1,
      },
    ],
    notBefore: timestamp(notBefore),
    notAfter: timestamp(notAfter),
    renewalTime: timestamp(new Date(notBefore.getTime() + Math.floor((lifetime * 2) / 3))),
    revision: 1,
  };
}

/** The TLS Secret as cert-manager leaves it, by its own field manager (`secretManager`). */
export function edgeSecret({ hostname, namespace }: EdgeHostname, files: IssuedFiles) {
  const name = childName(hostname);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: {
      name,
      namespace,
      labels: { 'controller.cert-manager.io/fao': 'true' },
      annotations: {
        'cert-manager.io/alt-names': hostname,
        'cert-manager.io/certificate-name': name,
        'cert-manager.io/common-name': hostname,
        'cert-manager.io/ip-sans': '',
        'cert-manager.io/issuer-group': issuer.group,
        'cert-manager.io/issuer-kind': issuer.kind,
        'cert-manager.io/issuer-name': issuer.name,
        'cert-manager.io/uri-sans': '',
      },
    },
    data: { 'tls.crt': base64(files.chain), 'tls.key': base64(files.key) },
  };
}

export const secretManager = 'cert-manager-certificates-issuing';

/** The CertificateRequest that a Certificate was issued by. */
export function edgeRequest({ hostname, namespace }: EdgeHostname, certificate: Owner, files: IssuedFiles) {
  const name = childName(hostname);
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'CertificateRequest',
    metadata: {
      name: `${name}-1`,
      namespace,
      annotations: {
        'cert-manager.io/certificate-name': name,
        'cert-manager.io/certificate-revision': '1',
        'cert-manager.io/private-key-secret-name': `${name}-k3v5x`,
      },
      ownerReferences: [{ ...ownerReference(certificate, true), blockOwnerDeletion: true }],
    },
    spec: {
      issuerRef: issuer,
      request: base64(files.signingRequest),
      username: 'system:serviceaccount:cert-manager:cert-manager',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:cert-manager', 'system:authenticated'],
    },
  };
}

export const requestStatus = ({ chain, notBefore }: IssuedFiles) => ({
  certificate: base64(chain),
  conditions: [
    condition('Approved', 'Approved', 'Routing, ownership and CAA hold.', notBefore),
    condition('Ready', 'Issued', 'Certificate fetched from issuer successfully', notBefore),
  ],
});

/** The Order that a CertificateRequest was issued by; its Challenge is gone once it is valid. */
export function edgeOrder({ hostname, namespace }: EdgeHostname, request: Owner, files: IssuedFiles) {
  const { name } = request.metadata;
  return {
    apiVersion: 'acme.cert-manager.io/v1',
    kind: 'Order',
    metadata: {
      name: `${name}-1234567890`,
      namespace,
      annotations: {
        'cert-manager.io/certificate-name': childName(hostname),
        'cert-manager.io/certificate-revision': '1',
        'cert-manager.io/private-key-secret-name': `${childName(hostname)}-k3v5x`,
      },
      ownerReferences: [{ ...ownerReference(request, true), blockOwnerDeletion: true }],
    },
    spec: { issuerRef: issuer, request: base64(files.signingRequest), dnsNames: [hostname] },
  };
}

export function orderStatus({ hostname }: EdgeHostname, { chain }: IssuedFiles) {
  const at = (path: string) => `https://acme.example/${path}/0123456789abcdefghijklmnopqrstuvwxyz`;
  const challenge = (type: string) => ({
    type,
    url: at(`chalZ/${type}`),
    token: '0123456789abcdefghijklmnopqrstuvwxyz-ABC',
  });
  return {
    state: 'valid',
    url: at('my-order'),
    finalizeURL: at('finalize-order'),
    certificate: base64(chain),
    authorizations: [
      {
        url: at('authZ'),
        identifier: hostname,
        initialState: 'pending',
        wildcard: false,
        challenges: ['http-01', 'tls-alpn-01', 'dns-01'].map(challenge),
      },
    ],
  };
}
