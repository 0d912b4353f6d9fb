import { childMetadata } from '../../resources/object-metadata.ts';
import { childName } from '../../rules/dns-target.ts';
import type { DesiredRoute } from '../route-port.ts';

/** networking.k8s.io/v1, one hostname, no controller-specific annotation. */
export function ingressManifest(route: DesiredRoute, className: string) {
  const { hostname, backend, hasCertificate } = route;
  const name = childName(hostname);
  const service = { name: backend.name, port: { number: backend.port } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: childMetadata(name, route),
    spec: {
      ingressClassName: className,
      ...(hasCertificate ? { tls: [{ hosts: [hostname], secretName: name }] } : {}),
      rules: [{ host: hostname, http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service } }] } }],
    },
  };
}
