import type { CombinedClass } from './combine-routes.ts';
import { classesOfObjects, combineRoutes } from './combine-routes.ts';
import { createGatewayListenerRoutes } from './gateway/gateway-listener-routes.ts';
import type { GuardedGateway } from './gateway/gateway-acceptance.ts';
import { createGatewayRoutes } from './gateway/gateway-routes.ts';
import type { WildcardImplementation } from './gateway/wildcard-host.ts';
import type { IngressRoutesOptions } from './ingress/ingress-routes.ts';
import { createIngressRoutes } from './ingress/ingress-routes.ts';
import type { RouteImplementation } from './route-port.ts';
import type { RoutingClasses } from './routing-classes.ts';

/** How the operator reaches what serves hostnames. */
interface EdgeAddress {
  readonly address: string;
  /** for HTTPS */
  readonly port: number;
  readonly httpPort: number;
}

/** By which objects hostnames are routed, and what serves them. */
type Routing = ({ readonly kind: 'Ingress' } & IngressRoutesOptions) | ({ readonly kind: 'Gateway' } & GatewayRouting);

interface GatewayRouting extends GuardedGateway {
  /** null where no wildcards are served, and with listeners on the Gateway itself, which serves none */
  readonly wildcards: WildcardImplementation | null;
}

/** An ingress controller or a Gateway that serves hostnames. */
export type RoutingClass = Routing & {
  /** a DNS label; it is in the names of its objects, so it never changes */
  readonly class: string;
  readonly probe: EdgeAddress;
  /** it serves no hostname any more, so what there is of its routes is deleted */
  readonly isRetired: boolean;
  /**
   * where visitors reach it, IPv4 or IPv6, if it serves customers' hostnames of those projects alone that choose it; empty for one that
   * serves all, at the platform's addresses
   */
  readonly addresses: readonly string[];
};

/** What serves hostnames: every class serves all of them that is neither retired nor for those that choose it. */
export interface RoutingSettings {
  /** at least one that serves all; the first one of these says what a route is where they differ */
  readonly classes: readonly RoutingClass[];
  /** how long a class serves a hostname on, after DNS and its caches lead to another one */
  readonly drainSeconds: number;
}

/** The class of an installation with one edge. Its objects are named after their hostname alone. */
const unnamedClass = 'default';

/** Routes of the classes that are set. */
export function createRoutes(settings: Pick<RoutingSettings, 'classes'>): RouteImplementation {
  const combined = combinedClasses(settings);
  const [only] = combined;
  return only && combined.length === 1 ? only.routes : combineRoutes(combined);
}

/** The classes that serve hostnames, for whoever decides which of them serve a project. */
export function createRoutingClasses(settings: Pick<RoutingSettings, 'classes'>): RoutingClasses {
  const combined = combinedClasses(settings);
  const serving = servingClasses(settings);
  return Object.freeze({
    common: serving.filter(({ addresses }) => addresses.length === 0).map((one) => one.class),
    chosen: new Map(serving.filter(({ addresses }) => addresses.length > 0).map((one) => [one.class, one.addresses])),
    ofObjects: (objects) => classesOfObjects(combined, objects),
  } satisfies RoutingClasses);
}

const combinedClasses = ({ classes }: Pick<RoutingSettings, 'classes'>): readonly CombinedClass[] =>
  classes.map((one) => ({ name: one.class, routes: routesOf(one), isRetired: one.isRetired }));

/** What follows a hostname's own name in those of a class' objects. */
export const classSuffix = (name: string): string => (name === unnamedClass ? '' : `.${name}`);

function routesOf(settings: RoutingClass): RouteImplementation {
  const suffix = classSuffix(settings.class);
  if (settings.kind === 'Ingress') return createIngressRoutes(settings, suffix);
  const { listeners, wildcards } = settings;
  if (listeners === 'ListenerSet') return createGatewayRoutes(settings, suffix, wildcards);
  return createGatewayListenerRoutes(settings, suffix, listeners);
}

/** The classes that serve hostnames. */
export const servingClasses = ({ classes }: Pick<RoutingSettings, 'classes'>): readonly RoutingClass[] =>
  classes.filter(({ isRetired }) => !isRetired);
