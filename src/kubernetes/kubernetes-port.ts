/** The shapes every room may know of Kubernetes: objects, kinds, and what can be done to them. */

interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
}

/** Any object of the API, as the raw JSON that the server sent (managedFields cut). */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** A kind as a URL needs it. The type parameter carries the shape of its objects. */
export interface Kind<T extends KubernetesObject = KubernetesObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** never present at run time: carries the type */
  readonly shape?: T;
}

export interface ObjectKey {
  /** '' for cluster-scoped kinds */
  readonly namespace: string;
  readonly name: string;
}

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** An object to apply: whole intent of one field manager. No resourceVersion, no managedFields. */
export interface Intent extends KubernetesObject {
  readonly [field: string]: unknown;
}

/**
 * Acting on the API server. Every call has a deadline and rejects with a KubernetesError (status, reason) or a
 * TransportError; nothing is retried in here, the queue does that.
 */
export interface Cluster {
  /** Live read; undefined when there is none. */
  get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey): Promise<T | undefined>;
  /** Live list of every object of the kind, paged, optionally by label selector and namespace. */
  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<readonly T[]>;
  /** Rejects with status 409 when it exists. */
  create<T extends KubernetesObject>(kind: Kind<T>, object: Intent): Promise<T>;
  /** PUT; metadata.resourceVersion is the precondition. */
  replace<T extends KubernetesObject>(kind: Kind<T>, object: KubernetesObject): Promise<T>;
  replaceStatus<T extends KubernetesObject>(kind: Kind<T>, object: KubernetesObject): Promise<T>;
  /** Server-side apply, forced, by this cluster client's field manager. Sends nothing when nothing changed. */
  apply<T extends KubernetesObject>(kind: Kind<T>, intent: Intent): Promise<T>;
  applyStatus<T extends KubernetesObject>(kind: Kind<T>, intent: Intent): Promise<T>;
  /** True when this call (or an earlier one) made it go; false when it was gone already. 409 when preconditions fail. */
  remove(kind: Kind, key: ObjectKey, preconditions?: Preconditions): Promise<boolean>;
}

export interface ListOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
}

/** A cache of one kind, filled and kept by a reflector. Objects are frozen. */
export interface Cache<T extends KubernetesObject> {
  get(key: ObjectKey): T | undefined;
  list(): readonly T[];
  /** Objects whose index function `index` yielded `value`. Throws on an index that was never declared. */
  byIndex(index: string, value: string): readonly T[];
  /** Every value that the index has an object under. Throws on an index that was never declared. */
  indexValues(index: string): readonly string[];
}

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
