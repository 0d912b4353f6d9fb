import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import { mergedFindings } from './route-findings.ts';
import type { DesiredRoute, RouteImplementation, RouteKind } from './route-port.ts';
import { suffixOf } from './route-port.ts';

/** A routing class that serves hostnames, or did. */
export interface CombinedClass {
  readonly routes: RouteImplementation;
  /** it serves no hostname any more, so what there is of its routes is deleted */
  readonly isRetired: boolean;
}

/**
 * Routes by several classes, each of which serves every hostname. Where their objects differ, as while a class is new, those of the first
 * class say what the route is, and those of one that is retired last. Names of objects of one kind differ between classes.
 */
export function combineRoutes(classes: readonly CombinedClass[]): RouteImplementation {
  const serving = classes.filter(({ isRetired }) => !isRetired).map(({ routes }) => routes);
  const retired = classes.filter(({ isRetired }) => isRetired).map(({ routes }) => routes);
  const all = [...serving, ...retired];
  const kinds = kindsOf(all);
  const ofClass = ({ kinds: own }: RouteImplementation, objects: readonly KubernetesObject[]) =>
    objects.filter((object) => isOfKinds(own, object, kinds));
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
    manifests: (route: DesiredRoute) => serving.flatMap((routes) => routes.manifests(route)),
    backendOf: (objects) => firstOf(objects, (routes, own) => routes.backendOf(own)),
    secretOf: (objects) => firstOf(objects, (routes, own) => routes.secretOf(own)),
    findingsOf: (objects, look) =>
      mergedFindings(serving.map((routes) => routes.findingsOf(ofClass(routes, objects), look))),
  } satisfies RouteImplementation);
}

type RouteKinds = RouteImplementation['kinds'];

/** Every kind once, with the suffixes that it has in any class. */
function kindsOf(all: readonly Pick<RouteImplementation, 'kinds'>[]): RouteKinds {
  const kinds: Record<string, RouteKind> = {};
  for (const [name, { suffixes, ...one }] of all.flatMap((routes) => Object.entries(routes.kinds)))
    kinds[name] = { ...one, suffixes: [...(kinds[name]?.suffixes ?? []), ...suffixes] };
  return kinds;
}

/** Its kind is one of these, and its name ends as theirs do: no longer ending of another class fits. */
function isOfKinds(own: RouteKinds, { kind: wanted, metadata }: KubernetesObject, every: RouteKinds): boolean {
  const named = Object.entries(own).find(([, { kind }]) => kind.kind === wanted);
  if (!named) return false;
  const [name, { suffixes }] = named;
  return suffixes.includes(suffixOf(metadata.name, every[name]?.suffixes ?? []));
}
