import { childName } from '../../rules/dns-target.ts';
import type { ChildManifestInput } from '../../resources/object-metadata.ts';
import { childMetadata } from '../../resources/object-metadata.ts';

export interface RouteBackend {
  /** name of a Service in the same namespace */
  readonly name: string;
  readonly port: number;
}

export interface IngressOptions {
  readonly className: string;
  readonly backend: RouteBackend;
  /** false where the ingress controller's default certificate covers the hostname */
  readonly tls: boolean;
}

/** networking.k8s.io/v1, one hostname, no controller-specific annotation. */
export function ingressManifest(input: ChildManifestInput, { className, backend, tls }: IngressOptions) {
  const name = childName(input.hostname);
  const service = { name: backend.name, port: { number: backend.port } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: childMetadata(name, input),
    spec: {
      ingressClassName: className,
      ...(tls ? { tls: [{ hosts: [input.hostname], secretName: name }] } : {}),
      rules: [{ host: input.hostname, http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service } }] } }],
    },
  };
}
