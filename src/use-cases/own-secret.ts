import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Intent } from '../kubernetes/kubernetes-port.ts';
import { SecretKind } from '../resources/kinds.ts';
import { hostnameAnnotation, childLabels, ownerReference } from '../resources/object-metadata.ts';

/** A chain and its key, both in PEM. */
export interface CertificatePems {
  readonly chainPem: string;
  readonly keyPem: string;
}

/** The Secret with a certificate of the customer's own, which nobody changes and which goes with its domain (admission/own-certificates.yaml). */
export function ownSecretManifest(
  { metadata, spec, ...domain }: ProjectDomain,
  name: string,
  { chainPem, keyPem }: CertificatePems,
): Intent {
  const { apiVersion, kind } = SecretKind;
  return {
    apiVersion,
    kind,
    type: 'kubernetes.io/tls',
    immutable: true,
    metadata: {
      name,
      namespace: metadata.namespace ?? '',
      labels: childLabels,
      annotations: { [hostnameAnnotation]: spec.hostname },
      ownerReferences: [ownerReference({ ...domain, metadata }, false)],
    },
    data: { 'tls.crt': base64(chainPem), 'tls.key': base64(keyPem) },
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
