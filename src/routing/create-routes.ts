import { combineRoutes } from './combine-routes.ts';
import type { GatewayReference } from './gateway/gateway-routes.ts';
import { createGatewayRoutes } from './gateway/gateway-routes.ts';
import type { IngressRoutesOptions } from './ingress/ingress-routes.ts';
import { createIngressRoutes } from './ingress/ingress-routes.ts';
import type { RouteImplementation } from './route-port.ts';

/** How the operator reaches what serves hostnames. */
interface EdgeAddress {
  readonly address: string;
  /** for HTTPS */
  readonly port: number;
  readonly httpPort: number;
}

/** By which objects hostnames are routed, and what serves them. */
type Routing =
  ({ readonly kind: 'Ingress' } & IngressRoutesOptions) | ({ readonly kind: 'Gateway' } & GatewayReference);

/** An ingress controller or a Gateway that serves hostnames. */
export type RoutingClass = Routing & {
  /** a DNS label; it is in the names of its objects, so it never changes */
  readonly class: string;
  readonly probe: EdgeAddress;
  /** it serves no hostname any more, so what there is of its routes is deleted */
  readonly isRetired: boolean;
};

/** What serves hostnames: every class that is not retired serves all of them. */
export interface RoutingSettings {
  /** at least one that is not retired; the first one of these says what a route is where they differ */
  readonly classes: readonly RoutingClass[];
}

/** The class of an installation with one edge. Its objects are named after their hostname alone. */
const unnamedClass = 'default';

/** Routes of the classes that are set. */
export function createRoutes({ classes }: RoutingSettings): RouteImplementation {
  const combined = classes.map((one) => ({ routes: routesOf(one), isRetired: one.isRetired }));
  const [only] = combined;
  return only && combined.length === 1 ? only.routes : combineRoutes(combined);
}

function routesOf(settings: RoutingClass): RouteImplementation {
  const suffix = settings.class === unnamedClass ? '' : `.${settings.class}`;
  return settings.kind === 'Gateway' ? createGatewayRoutes(settings, suffix) : createIngressRoutes(settings, suffix);
}

/** The classes that serve hostnames. */
export const servingClasses = ({ classes }: RoutingSettings): readonly RoutingClass[] =>
  classes.filter(({ isRetired }) => !isRetired);
