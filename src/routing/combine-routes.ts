import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import { mergedFindings } from './route-findings.ts';
import type { DesiredRoute, RouteImplementation, RouteKind } from './route-port.ts';
import { suffixesOf, suffixOf } from './route-port.ts';

/** A routing class that serves hostnames, or did. */
export interface CombinedClass {
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
export function combineRoutes(classes: readonly CombinedClass[]): RouteImplementation {
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
export function classesOfObjects(
  classes: readonly CombinedClass[],
  objects: readonly KubernetesObject[],
): readonly string[] {
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
