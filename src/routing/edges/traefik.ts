import type { GatewayController, IngressController } from './controller-types.ts';
import { otherGateway, otherIngress } from './other.ts';

/**
 * Traefik asks the longest rule first, which would be the wildcard's: 1 is less than the length of any. Visitors over http are led to HTTPS by the
 * redirector, to which one Ingress for all hostnames leads on the entry point web (docs/adr/0095-http-leads-to-https-behind-traefik.md).
 */
export const traefikIngress: IngressController = Object.freeze({
  ...otherIngress,
  wildcardAnnotations: { 'traefik.ingress.kubernetes.io/router.priority': '1' },
  httpsRedirect: {
    annotations: { 'traefik.ingress.kubernetes.io/router.entrypoints': 'websecure' },
    hasDefaultCertificate: true,
    overHttp: {
      'traefik.ingress.kubernetes.io/router.entrypoints': 'web',
      'traefik.ingress.kubernetes.io/router.priority': '1',
    },
  },
});

/** It has no ListenerSet (3.6). */
export const traefikGateway: GatewayController = Object.freeze<GatewayController>({
  ...otherGateway,
  listeners: ['Gateway'],
});
