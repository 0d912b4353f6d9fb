import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import type { CachedObject } from './cluster-client.ts';
import type { Kind, KubernetesObject, ObjectKey, ObjectOf, WatchedKind } from './kubernetes-port.ts';
import type { Reflector } from './reflector.ts';
import { startReflector } from './reflector.ts';
import type { Store } from './store.ts';
import { createStore } from './store.ts';
import type { Transport } from './transport.ts';

/** A store for each kind of a table, under the same name. */
export type StoresOf<W> = { readonly [Name in keyof W]: Store<ObjectOf<W[Name]>> };

type Table<W> = { readonly [Name in keyof W]: WatchedKind<ObjectOf<W[Name]>> };

/** An empty store for each kind of the table. `onFault` is told of what listeners throw. */
export function createStores<W extends Table<W>>(table: W, onFault: (error: unknown) => void): StoresOf<W> {
  const stores = rowsOf(table).map(([name, { indexes }]) => [name, createStore(indexes, onFault)] as const);
  return Object.freeze(Object.fromEntries(stores)) as StoresOf<W>;
}

export interface WatchOptions {
  readonly transport: Transport;
  readonly log: Log;
  readonly clock: Clock;
  readonly slices: TimeSlices;
}

/** Begins to fill the stores, and keeps them up to date until the signal; a reflector for each, by name. */
export function startReflectors<W extends Table<W>>(
  table: W,
  stores: StoresOf<W>,
  { options, signal }: { readonly options: WatchOptions; readonly signal: AbortSignal },
): ReadonlyMap<string, Reflector> {
  const begin = ([name, { kind, labelSelector }]: readonly [string, WatchedKind]) => {
    const store = storeNamed(stores, name);
    const select = labelSelector === undefined ? {} : { labelSelector };
    return [name, startReflector({ ...options, kind, store, select }, signal)] as const;
  };
  return new Map(rowsOf(table).map(begin));
}

/** What the stores show of an object of any of the table's kinds. */
export function cachedObjectIn<W extends Table<W>>(table: W, stores: StoresOf<W>): CachedObject {
  const byKind = new Map(rowsOf(table).map(([name, { kind }]) => [wordOf(kind), storeNamed(stores, name)]));
  return (kind: Kind, key: ObjectKey): KubernetesObject | undefined => byKind.get(wordOf(kind))?.get(key);
}

const wordOf = ({ apiVersion, plural }: Kind): string => `${apiVersion} ${plural}`;

/** The table's own type knows each row's objects; in a loop over all of them they are any object. */
const rowsOf = (table: object): readonly (readonly [string, WatchedKind])[] =>
  Object.entries(table as Readonly<Record<string, WatchedKind>>);

const storeNamed = (stores: object, name: string): Store<KubernetesObject> =>
  (stores as Readonly<Record<string, Store<KubernetesObject>>>)[name] as Store<KubernetesObject>;
