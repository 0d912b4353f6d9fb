import type { GatewayReference } from './gateway/gateway-routes.ts';
import { createGatewayRoutes } from './gateway/gateway-routes.ts';
import type { IngressRoutesOptions } from './ingress/ingress-routes.ts';
import { createIngressRoutes } from './ingress/ingress-routes.ts';
import type { RouteImplementation } from './route-port.ts';

/** By which objects hostnames are routed, and what serves them. */
export type RoutingSettings =
  ({ readonly kind: 'Ingress' } & IngressRoutesOptions) | ({ readonly kind: 'Gateway' } & GatewayReference);

/** Routes of the kind that is set. */
export const createRoutes = (settings: RoutingSettings): RouteImplementation =>
  settings.kind === 'Gateway' ? createGatewayRoutes(settings) : createIngressRoutes(settings);
