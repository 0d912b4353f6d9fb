import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';

/** The routing classes of an installation that serve hostnames, by their names. */
export interface RoutingClasses {
  /** those that serve every project that chooses none; at least one. They are reached at the platform's addresses */
  readonly common: readonly string[];
  /** those that serve the projects alone that choose them, each with the addresses at which visitors reach it */
  readonly chosen: ReadonlyMap<string, readonly string[]>;
  /** Those that have one of these objects of one route. */
  ofObjects(objects: readonly KubernetesObject[]): readonly string[];
}

/** What a project may choose, and does. */
export interface ClassChoice {
  /** that its plan permits, in order of preference */
  readonly permitted: readonly string[];
  /** that the project names; undefined for the first one that is permitted */
  readonly named: string | undefined;
}

/**
 * The classes that are to serve a project's hostnames: the one that it names, if its plan permits that, or else the first one that the plan
 * permits, of those that there are. All common ones where that leaves none. Pure.
 */
export function classesFor(
  { common, chosen }: Pick<RoutingClasses, 'common' | 'chosen'>,
  { permitted, named }: ClassChoice,
): readonly string[] {
  const offered = permitted.filter((name) => chosen.has(name) || common.includes(name));
  const choice = offered.find((name) => name === named) ?? offered[0];
  return choice === undefined || common.includes(choice) ? common : [choice];
}
