import type { CachedObject } from './cluster-client.ts';
import { notCached } from './cluster-client.ts';
import type { HeadOf, Kind, KubernetesObject, ObjectOf, WatchedKind } from './kubernetes-port.ts';
import { createPacking } from './packed-objects.ts';
import type { Reflector, ReflectorOptions } from './reflector.ts';
import { startReflector } from './reflector.ts';
import type { Representation } from './representations.ts';
import { asTheyAre, packed, packedWithHead } from './representations.ts';
import type { Store } from './store.ts';
import { createStore } from './store.ts';

/** A store for each kind of a table, under the same name. */
export type StoresOf<W> = { readonly [Name in keyof W]: Store<ObjectOf<W[Name]>, HeadOf<W[Name]>> };

type Table<W> = { readonly [Name in keyof W]: WatchedKind<ObjectOf<W[Name]>, HeadOf<W[Name]>> };

/** An empty store for each kind of the table. What listeners throw goes to `onFault`. */
export function createStores<W extends Table<W>>(table: W, onFault: (error: unknown) => void): StoresOf<W> {
  const stores = rowsOf(table).map(
    ([name, row]) => [name, createStore(row.indexes, onFault, representationOf(row))] as const,
  );
  return Object.freeze(Object.fromEntries(stores)) as StoresOf<W>;
}

function representationOf({ memory, head }: WatchedKind): Representation<KubernetesObject, KubernetesObject> {
  if (memory === 'objects') return asTheyAre<KubernetesObject>();
  const packing = createPacking<KubernetesObject>();
  return head ? packedWithHead(packing, head) : packed(packing);
}

export type WatchOptions = Pick<ReflectorOptions<KubernetesObject>, 'transport' | 'log' | 'clock' | 'slices'>;

/** Starts a reflector for each store, which keeps it up to date until the signal aborts. By name of the store. */
export function startReflectors<W extends Table<W>>(
  table: W,
  stores: StoresOf<W>,
  { options, signal }: { readonly options: WatchOptions; readonly signal: AbortSignal },
): ReadonlyMap<string, Reflector> {
  const begin = ([name, { kind, labelSelector, keep }]: readonly [string, WatchedKind]) => {
    const store = storeNamed(stores, name);
    const select = labelSelector === undefined ? {} : { labelSelector };
    return [name, startReflector({ ...options, kind, store, select, keep }, signal)] as const;
  };
  return new Map(rowsOf(table).map(begin));
}

/** Figures about caches for metrics, by name of the store: how many seconds old what they hold may be, and how many objects. */
export const cacheFigures = (reflectors: () => ReadonlyMap<string, Reflector>) => ({
  staleness: () => new Map([...reflectors()].map(([name, reflector]) => [name, reflector.staleness() / 1_000])),
  objects: () => new Map([...reflectors()].map(([name, reflector]) => [name, reflector.size()])),
});

/** Looks up an object of any of the table's kinds in the stores. */
export function cachedObjectIn<W extends Table<W>>(table: W, stores: StoresOf<W>): CachedObject {
  const byKind = new Map(rowsOf(table).map(([name, { kind }]) => [resourceId(kind), storeNamed(stores, name)]));
  return (kind, key) => {
    const store = byKind.get(resourceId(kind));
    return store ? store.get(key) : notCached;
  };
}

/** Gives what a write was answered with to the reflector of its kind, if any of the table's has started. */
export function writtenTo<W extends Table<W>>(table: W, reflectors: () => ReadonlyMap<string, Reflector>) {
  const names = new Map(rowsOf(table).map(([name, { kind }]) => [resourceId(kind), name]));
  return (kind: Kind, object: KubernetesObject): void =>
    reflectors()
      .get(names.get(resourceId(kind)) ?? '')
      ?.written(object);
}

const resourceId = ({ apiVersion, plural }: Kind): string => `${apiVersion} ${plural}`;

/** The rows of a table, for loops over all of them, without the type of each row's objects. */
const rowsOf = (table: object): readonly (readonly [string, WatchedKind])[] =>
  Object.entries(table as Readonly<Record<string, WatchedKind>>);

const storeNamed = (stores: object, name: string): Store<KubernetesObject> =>
  (stores as Readonly<Record<string, Store<KubernetesObject>>>)[name] as Store<KubernetesObject>;
