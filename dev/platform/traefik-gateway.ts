import type { Around, Edge, StartedEdge } from './services.ts';
import { runTraefik } from './services.ts';
import { installSharedGateway, sharedGateway } from './shared-gateway.ts';

const throttle = '100ms';

/** Traefik on ports 80 and 443, which are its entry points and the ports of the Gateway's listeners. It sends to cluster IPs. */
async function startTraefikGateway(around: Around): Promise<StartedEdge> {
  await installSharedGateway(around.kubectl, 'traefik', 'traefik.io/gateway-controller');
  return runTraefik(around, [
    `--providers.providersthrottleduration=${throttle}`,
    '--providers.kubernetesgateway=true',
    '--providers.kubernetesgateway.nativelbbydefault=true',
    `--providers.kubernetesgateway.throttleduration=${throttle}`,
  ]);
}

/** Gateway API by Traefik. */
export const traefikGatewayEdge: Edge = Object.freeze<Edge>({
  start: startTraefikGateway,
  routing: { ...sharedGateway, controller: 'Traefik' },
});
