import { isDeepStrictEqual } from 'node:util';
import { watchedKinds } from '../../../src/controllers/watched-kinds.ts';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type {
  Cluster,
  Intent,
  KubernetesObject,
  ObjectKey,
  Preconditions,
  WatchedKind,
} from '../../../src/kubernetes/kubernetes-port.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import { createOperatorStores, routeKindsOf, watchedStoresOf } from '../../../src/operator/operator-stores.ts';
import type { OperatorStores } from '../../../src/operator/operator-stores.ts';
import type { RouteImplementation } from '../../../src/routing/route-port.ts';
import type { Store } from '../../../src/kubernetes/store.ts';

/** Objects of the kinds that an operator watches, in memory; its caches show each write at once. */
export interface MemoryObjects {
  readonly stores: OperatorStores;
  readonly cluster: Cluster;
  /** Puts an object there as its owner does: with a uid, a new resourceVersion and the time of its creation. */
  put(object: object): void;
  /** By kind, how many objects were ever created. */
  readonly created: ReadonlyMap<string, number>;
}

type Held = KubernetesObject & { readonly spec?: unknown; readonly status?: unknown };

const refused = (status: number, reason: string) =>
  new KubernetesError({ status, reason, message: reason, retryAfterMs: null });

export function createMemoryObjects(routes: RouteImplementation, now: () => number): MemoryObjects {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  const rows = storesByKind(stores, routes);
  const held = new Map<string, Held>();
  const created = new Map<string, number>();
  let version = 0;

  const pathOf = (kind: string, { namespace = '', name }: Partial<ObjectKey> & { name: string }) =>
    `${kind} ${namespace}/${name}`;
  const at = ({ kind, metadata }: KubernetesObject) => held.get(pathOf(kind, metadata));
  const keep = (object: Held): Held => {
    const before = at(object);
    version += 1;
    if (!before) created.set(object.kind, (created.get(object.kind) ?? 0) + 1);
    const metadata = {
      ...object.metadata,
      ...identityOf(before ?? object, { uid: uidOf(version), creationTimestamp: timestamp(now()) }),
      ...generationOf(before, object),
      resourceVersion: String(version),
    };
    const kept = { ...object, metadata };
    held.set(pathOf(kept.kind, metadata), kept);
    const row = rows.get(kept.kind);
    const seen = row?.watched.keep(kept);
    if (row && seen) row.store.put(seen);
    return kept;
  };
  const merged = (before: Held | undefined, { metadata, ...fields }: Intent): Held => ({
    ...before,
    ...fields,
    metadata: {
      ...before?.metadata,
      ...metadata,
      labels: { ...before?.metadata.labels, ...metadata.labels },
      annotations: { ...before?.metadata.annotations, ...metadata.annotations },
    },
  });
  const unlessChanged = (object: KubernetesObject): Held => {
    const before = at(object);
    if (!before) throw refused(404, 'NotFound');
    const { resourceVersion, uid = before.metadata.uid } = object.metadata;
    const isSame = resourceVersion === undefined || resourceVersion === before.metadata.resourceVersion;
    if (!isSame || uid !== before.metadata.uid) throw refused(409, 'Conflict');
    return before;
  };
  const write = (before: Held | undefined, object: Held) =>
    before && isDeepStrictEqual(plain(before), plain(object)) ? before : keep(plain(object));
  const done = async <T>(act: () => Held | undefined): Promise<T> => Promise.resolve(act() as T);

  const cluster: Cluster = {
    get: ({ kind }, key) => done(() => held.get(pathOf(kind, key))),
    list: () => Promise.reject(new Error('nothing is listed here')),
    create: (_, object, { isDryRun = false } = {}) =>
      done(() => {
        if (at(object)) throw refused(409, 'AlreadyExists');
        return isDryRun ? object : keep(plain(object));
      }),
    replace: (_, object) => done(() => write(unlessChanged(object), object)),
    replaceStatus: (_, object) => done(() => withStatus(unlessChanged(object), (object as Held).status)),
    apply: (_, intent) => done(() => write(at(intent), merged(at(intent), intent))),
    applyStatus: (_, intent) => done(() => withStatus(unlessChanged(intent), intent.status)),
    remove: async ({ kind }, key, preconditions) => Promise.resolve(drop(pathOf(kind, key), preconditions)),
  };
  const drop = (path: string, { uid, resourceVersion }: Preconditions = {}): boolean => {
    const before = held.get(path);
    if (!before) return false;
    const { metadata } = before;
    const isSame = resourceVersion === undefined || resourceVersion === metadata.resourceVersion;
    if (!isSame || (uid !== undefined && uid !== metadata.uid)) throw refused(409, 'Conflict');
    held.delete(path);
    rows.get(before.kind)?.store.drop(before);
    return true;
  };
  const withStatus = (before: Held, status: unknown) => write(before, { ...before, status });
  return { stores, cluster, created, put: (object) => void keep(plain(object as Held)) };
}

/** Kinds whose objects have no generation. */
const ungenerated: ReadonlySet<string> = new Set(['Namespace']);

/** What an object keeps for good, and what it gets where it has none. */
const identityOf = ({ metadata }: Held, fresh: { readonly uid: string; readonly creationTimestamp: string }) => ({
  uid: metadata.uid ?? fresh.uid,
  creationTimestamp: metadata.creationTimestamp ?? fresh.creationTimestamp,
});

/** Counts the changes of its spec. */
function generationOf(before: Held | undefined, { kind, spec }: Held): { readonly generation?: number } {
  if (ungenerated.has(kind)) return {};
  const isSame = before !== undefined && isDeepStrictEqual(before.spec, spec);
  return { generation: (before?.metadata.generation ?? 0) + (isSame ? 0 : 1) };
}

/** As JSON has it: fields that are undefined are not there. */
const plain = (object: Held): Held => JSON.parse(JSON.stringify(object)) as Held;

/** Spread over the whole range, as random ones are: times of checks follow from them. */
const uidOf = (count: number): string =>
  `${((count * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}-0000-4000-8000-${String(count).padStart(12, '0')}`;

interface Row {
  readonly store: Store<KubernetesObject, unknown>;
  readonly watched: WatchedKind;
}

function storesByKind(stores: OperatorStores, routes: RouteImplementation): ReadonlyMap<string, Row> {
  const watched = { ...watchedKinds, ...routeKindsOf(routes) } as unknown as Readonly<Record<string, WatchedKind>>;
  const byName = watchedStoresOf(stores);
  return new Map(
    Object.entries(watched).flatMap(([name, row]) => {
      const store = byName[name];
      return store ? [[row.kind.kind, { store, watched: row }] as const] : [];
    }),
  );
}
