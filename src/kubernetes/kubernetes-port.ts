/** Kubernetes types that every room may import: objects, kinds, and the operations on them. */

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
  readonly finalizers?: readonly string[];
}

/** Any object of the API, as the raw JSON that the server sent (without managedFields). */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** A kind, with what its URLs are made of. The type parameter is the type of its objects. */
export interface Kind<T extends KubernetesObject = KubernetesObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** never set; only carries the type parameter */
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

/** An object to apply: the complete intent of one field manager. No resourceVersion, no managedFields. */
export interface Intent extends KubernetesObject {
  readonly [field: string]: unknown;
}

/** A Kubernetes Event about an object, to be recorded once. */
export interface EventRecord {
  readonly about: KubernetesObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** The fields of a Lease (coordination.k8s.io/v1, LeaseSpec) that leader election needs, and the version that was read. */
export interface LeaseRecord {
  /** '' where nobody holds it */
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  /** RFC 3339 with microseconds */
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly leaseTransitions: number;
  /** opaque resource version; a write with an outdated one is rejected */
  readonly version: string | null;
}

/** Reads and writes the leader lease. `write` resolves to false when somebody else wrote first. */
export interface LeaseStore {
  read(): Promise<LeaseRecord | null>;
  write(record: LeaseRecord): Promise<boolean>;
}

/**
 * A client of the kube-apiserver. Every call has a deadline and rejects with a KubernetesError (status, reason) or a
 * TransportError. Nothing is retried here; the work queue does that.
 */
export interface Cluster {
  /** Live read, not from a cache; undefined when the object does not exist. */
  get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey): Promise<T | undefined>;
  /** Live list of every object of the kind, in pages, optionally by label selector and namespace. */
  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<readonly T[]>;
  /** Rejects with status 409 when the object exists already. */
  create<T extends KubernetesObject>(kind: Kind<T>, object: Intent, options?: CreateOptions): Promise<T>;
  /** PUT; metadata.resourceVersion is the precondition. */
  replace<T extends KubernetesObject>(kind: Kind<T>, object: KubernetesObject): Promise<T>;
  replaceStatus<T extends KubernetesObject>(kind: Kind<T>, object: KubernetesObject): Promise<T>;
  /**
   * Forced server-side apply with this client's field manager. Sends nothing when the object is as the intent wants it
   * (applied-intent.ts).
   */
  apply<T extends KubernetesObject>(kind: Kind<T>, intent: Intent, options?: ApplyOptions): Promise<T>;
  /** The same for a status of which no other field manager writes any field. */
  applyStatus<T extends KubernetesObject>(kind: Kind<T>, intent: Intent): Promise<T>;
  /** False when the object did not exist, true otherwise (even if already terminating). 409 when preconditions fail. */
  remove(kind: Kind, key: ObjectKey, preconditions?: Preconditions): Promise<boolean>;
}

export interface CreateOptions {
  /** everything is checked and nothing is made */
  readonly isDryRun?: boolean;
}

export interface ApplyOptions {
  /** the object as the caller has just read it, of a kind that is not cached; null when there is none */
  readonly live?: KubernetesObject | null;
}

export interface ListOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
}

/**
 * A cache of one kind, kept up to date by a reflector. Objects are frozen. `Head` has the fields that a list of them shows;
 * reading one whole object may take some 50 microseconds, so nobody should read very many at once.
 */
export interface Cache<T extends KubernetesObject, Head = T> {
  get(key: ObjectKey): T | undefined;
  has(key: ObjectKey): boolean;
  /** The same as `get`, without unpacking it. */
  headOf(key: ObjectKey): Head | undefined;
  /** Tells by === whether an object has changed, without unpacking it: the same for as long as nothing of it changes. Undefined without it. */
  stampOf(key: ObjectKey): unknown;
  /** Every whole object at once: for kinds of which there are few. */
  list(): readonly T[];
  /** Every whole object, one after the other, for work that is done in slices; shows what changes meanwhile. */
  values(): Iterable<T>;
  /** The key of every object; shows what changes meanwhile. */
  keys(): Iterable<ObjectKey>;
  /** Objects for which the index function `index` returned `value`. Throws when the index was not declared. */
  byIndex(index: string, value: string): readonly Head[];
  /** The keys of the same objects. */
  keysByIndex(index: string, value: string): readonly ObjectKey[];
  /** How many they are. */
  countByIndex(index: string, value: string): number;
  /** Every value of the index that has an object. Throws when the index was not declared. */
  indexValues(index: string): readonly string[];
}

/** Returns the values of an index under which an object is found. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** A kind whose objects a process caches. The type of its objects has the fields that are kept. */
export interface WatchedKind<T extends KubernetesObject = KubernetesObject, Head = T> {
  readonly kind: Kind<T>;
  /** which of its objects are cached; all of them when absent */
  readonly labelSelector?: string;
  /** Returns what is kept of an object; undefined for one that is not cached. Pure. Never removes a field that this process writes. */
  readonly keep: (object: T) => T | undefined;
  /** 'packed' for kinds with an object for each domain: a tenth of the memory, some 50 microseconds for each read */
  readonly memory: 'objects' | 'packed';
  /**
   * What an index gives of a packed object without unpacking it; undefined for an object that is unpacked for it. Pure. The
   * whole object when absent.
   */
  readonly head?: (object: T) => Head | undefined;
  readonly indexes: Readonly<Record<string, IndexFunction<T>>>;
}

/** The objects of a watched kind. */
export type ObjectOf<W> = W extends { readonly kind: Kind<infer T> } ? T : never;

/** What an index of a watched kind gives of its objects. */
export type HeadOf<W> = W extends WatchedKind<infer _, infer Head> ? Head : never;

/** One row of a table of watched kinds, which keeps the type of its objects. */
export function watch<T extends KubernetesObject, Head = T>(
  kind: Kind<T>,
  {
    indexes = {},
    keep = (object) => object,
    memory = 'objects',
    ...selection
  }: Partial<Omit<WatchedKind<T, Head>, 'kind'>> = {},
): WatchedKind<T, Head> {
  return Object.freeze({ kind, indexes, keep, memory, ...selection });
}
