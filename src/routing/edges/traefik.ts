import type { GatewayController, IngressController } from './controller-types.ts';
import { otherGateway, otherIngress } from './other.ts';

const [entryPoints, priority] = [
  'traefik.ingress.kubernetes.io/router.entrypoints',
  'traefik.ingress.kubernetes.io/router.priority',
] as const;
/** Less than the length of any rule. */
const lowest = '1';

/**
 * Traefik asks the longest rule first, which would be the wildcard's. Visitors over http are led to HTTPS by the redirector, to which one Ingress for
 * all hostnames leads on the entry point web (docs/adr/0095-http-leads-to-https-behind-traefik.md).
 */
export const traefikIngress: IngressController = Object.freeze({
  ...otherIngress,
  wildcardAnnotations: { [priority]: lowest },
  httpsRedirect: {
    annotations: { [entryPoints]: 'websecure' },
    hasDefaultCertificate: true,
    overHttp: { [entryPoints]: 'web', [priority]: lowest },
  },
});

/** It has no ListenerSet (3.6). */
export const traefikGateway: GatewayController = Object.freeze<GatewayController>({
  ...otherGateway,
  listeners: ['Gateway'],
});
