import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import type { IngressController, GatewayChoice, IngressControllerName } from './edges/controllers.ts';
import { gatewayControllers, ingressControllers, listenersOf } from './edges/controllers.ts';
import { createGatewayListenerRoutes } from './gateway/gateway-listener-routes.ts';
import { createGatewayRoutes } from './gateway/gateway-routes.ts';
import type { GatewayReference } from './gateway/gateway-reference.ts';
import { createIngressRoutes } from './ingress/ingress-routes.ts';
import { mergedFindings } from './route-findings.ts';
import type { RouteImplementation, DesiredRoute, RouteKind } from './route-port.ts';
import { suffixesOf, suffixOf } from './route-port.ts';
import type { RoutingClasses } from './routing-classes.ts';

/** How the operator reaches what serves hostnames. */
interface EdgeAddress {
  readonly address: string;
  /** for HTTPS */
  readonly port: number;
  readonly httpPort: number;
}

/** By which objects hostnames are routed, and what serves them. */
type Routing =
  ({ readonly kind: 'Ingress' } & IngressRouting) | ({ readonly kind: 'Gateway' } & GatewayReference & GatewayChoice);

interface IngressRouting {
  readonly className: string;
  readonly controller: IngressControllerName;
  /** false where the controller is to lead visitors from http to https as its own configuration says, or not at all */
  readonly httpsRedirect: boolean;
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
  /** customers may add wildcards, if every class can serve them */
  readonly wildcards: boolean;
  /** how long a class serves a hostname on, after DNS and its caches lead to another one */
  readonly drainSeconds: number;
}

/** The class of an installation with one edge. Its objects are named after their hostname alone. */
const unnamedClass = 'default';

type OfferedRouting = Pick<RoutingSettings, 'classes' | 'wildcards'>;

/** Routes of the classes that are set. */
export function createRoutes(settings: OfferedRouting): RouteImplementation {
  const combined = combinedClasses(settings);
  const [only] = combined;
  return only && combined.length === 1 ? only.routes : combineRoutes(combined);
}

/** The classes that serve hostnames, for whoever decides which of them serve a project. */
export function createRoutingClasses(settings: OfferedRouting): RoutingClasses {
  const combined = combinedClasses(settings);
  const serving = servingClasses(settings);
  return Object.freeze({
    common: serving.filter(({ addresses }) => addresses.length === 0).map((one) => one.class),
    chosen: new Map(serving.filter(({ addresses }) => addresses.length > 0).map((one) => [one.class, one.addresses])),
    ofObjects: (objects) => classesOfObjects(combined, objects),
  } satisfies RoutingClasses);
}

const combinedClasses = ({ classes, wildcards }: OfferedRouting): readonly CombinedClass[] =>
  classes.map((one) => ({ name: one.class, routes: routesOf(one, wildcards), isRetired: one.isRetired }));

/** What follows a hostname's own name in those of a class' objects. */
export const classSuffix = (name: string): string => (name === unnamedClass ? '' : `.${name}`);

function routesOf(settings: RoutingClass, wildcards: boolean): RouteImplementation {
  const suffix = classSuffix(settings.class);
  if (settings.kind === 'Ingress') {
    const { className, httpsRedirect } = settings;
    const controller = told(ingressControllers[settings.controller], { wildcards, httpsRedirect });
    return createIngressRoutes({ className, controller }, suffix);
  }
  const { servesWildcards, sharesHostnames } = gatewayControllers[settings.controller];
  if (listenersOf(settings) === 'ListenerSet')
    return createGatewayRoutes(settings, suffix, servesWildcards && wildcards);
  return createGatewayListenerRoutes(settings, suffix, sharesHostnames);
}

/** What a controller is told, of what it could be. */
const told = (
  { wildcardAnnotations, httpsRedirect, ...rest }: IngressController,
  wanted: { readonly wildcards: boolean; readonly httpsRedirect: boolean },
): IngressController => ({
  ...rest,
  wildcardAnnotations: wanted.wildcards ? wildcardAnnotations : null,
  httpsRedirect: wanted.httpsRedirect ? httpsRedirect : null,
});

/** The classes that serve hostnames. */
export const servingClasses = ({ classes }: Pick<RoutingSettings, 'classes'>): readonly RoutingClass[] =>
  classes.filter(({ isRetired }) => !isRetired);

/** A routing class that serves hostnames, or did. */
interface CombinedClass {
  /** of the class */
  readonly name: string;
  readonly routes: RouteImplementation;
  /** it serves no hostname any more, so what there is of its routes is deleted */
  readonly isRetired: boolean;
}

/**
 * Routes by several classes, each of which serves every hostname whose route does not name its classes. Where their objects differ, as while
 * a class is new, those of the first class say what the route is, and those of one that is retired last. Names of objects of one kind differ
 * between classes.
 */
function combineRoutes(classes: readonly CombinedClass[]): RouteImplementation {
  const open = classes.filter(({ isRetired }) => !isRetired);
  const serving = open.map(({ routes }) => routes);
  const retired = classes.filter(({ isRetired }) => isRetired).map(({ routes }) => routes);
  const all = [...serving, ...retired];
  const kinds = kindsOf(all);
  const ofClass = ({ kinds: own }: RouteImplementation, objects: readonly KubernetesObject[]) =>
    objects.filter((object) => isOfKinds(own, object, kinds));
  const isWanted = ({ name }: CombinedClass, { classes: wanted }: DesiredRoute) => wanted?.includes(name) ?? true;
  const firstOf = (
    objects: readonly KubernetesObject[],
    read: (routes: RouteImplementation, own: readonly KubernetesObject[]) => string | undefined,
  ) =>
    all
      .values()
      .map((routes) => read(routes, ofClass(routes, objects)))
      .find((found) => found !== undefined);
  return Object.freeze({
    kinds,
    servesWildcards: serving.every(({ servesWildcards }) => servesWildcards),
    manifests: (route: DesiredRoute) =>
      open.filter((one) => isWanted(one, route)).flatMap(({ routes }) => routes.manifests(route)),
    suspensions: (route: DesiredRoute) =>
      open.filter((one) => isWanted(one, route)).flatMap(({ routes }) => routes.suspensions(route)),
    backendOf: (objects) => firstOf(objects, (routes, own) => routes.backendOf(own)),
    secretOf: (objects) => firstOf(objects, (routes, own) => routes.secretOf(own)),
    findingsOf: (objects, look) =>
      mergedFindings(serving.map((routes) => routes.findingsOf(ofClass(routes, objects), look))),
  } satisfies RouteImplementation);
}

/** Names of the classes that serve hostnames and have one of these objects of one route. */
function classesOfObjects(classes: readonly CombinedClass[], objects: readonly KubernetesObject[]): readonly string[] {
  const kinds = kindsOf(classes.map(({ routes }) => routes));
  return classes
    .filter(({ isRetired, routes }) => !isRetired && objects.some((object) => isOfKinds(routes.kinds, object, kinds)))
    .map(({ name }) => name);
}

type RouteKinds = RouteImplementation['kinds'];

/** Every kind once, with the suffixes that it has in any class. */
function kindsOf(all: readonly Pick<RouteImplementation, 'kinds'>[]): RouteKinds {
  const kinds: Record<string, RouteKind> = {};
  for (const [name, { suffixes, wildcardSuffixes = [], ...one }] of all.flatMap((routes) =>
    Object.entries(routes.kinds),
  ))
    kinds[name] = {
      ...one,
      suffixes: [...(kinds[name]?.suffixes ?? []), ...suffixes],
      wildcardSuffixes: [...(kinds[name]?.wildcardSuffixes ?? []), ...wildcardSuffixes],
    };
  return kinds;
}

/** Its kind is one of these, and its name ends as theirs do: no longer ending of another class fits. */
function isOfKinds(own: RouteKinds, { kind: wanted, metadata }: KubernetesObject, every: RouteKinds): boolean {
  const named = Object.entries(own).find(([, { kind }]) => kind.kind === wanted);
  if (!named) return false;
  const [name, kind] = named;
  return suffixesOf(kind).includes(suffixOf(metadata.name, suffixesOf(every[name] ?? kind)));
}
