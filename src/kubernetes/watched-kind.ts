import type { Kind, KubernetesObject } from './kubernetes-port.ts';

/** Which values of an index an object is found under. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** One kind that a process keeps a copy of. */
export interface WatchedKind<T extends KubernetesObject = KubernetesObject> {
  readonly kind: Kind<T>;
  /** which of its objects; all of them where it is left out */
  readonly labelSelector?: string;
  readonly indexes: Readonly<Record<string, IndexFunction<T>>>;
}

/** The objects of a watched kind. */
export type ObjectOf<W> = W extends WatchedKind<infer T> ? T : never;

/** One row of a table of watched kinds: the type of its objects is forgotten by the table's type and kept by the row's. */
export function watch<T extends KubernetesObject>(
  kind: Kind<T>,
  { indexes = {}, ...selection }: Partial<Omit<WatchedKind<T>, 'kind'>> = {},
): WatchedKind<T> {
  return Object.freeze({ kind, indexes, ...selection });
}
