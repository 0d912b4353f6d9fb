import type { ApiStores } from '../../src/api-server/api-stores.ts';
import { KubernetesError, TransportError } from '../../src/kubernetes/kubernetes-errors.ts';
import type { Cluster, Kind, KubernetesObject, ObjectKey } from '../../src/kubernetes/kubernetes-port.ts';
import type { Store } from '../../src/kubernetes/store.ts';

/** A cluster in memory that answers as slowly as it is told to, and feeds the caches as a watch does. */
export interface MemoryCluster extends Cluster {
  /** Puts an object in, as somebody else would; cluster and cache show it at once. */
  put(object: object): void;
  /** The next writes are answered 503. */
  refuseNext(count: number): void;
  /** namespace/name of every write, in the order in which they were done */
  readonly written: readonly string[];
  /** the most writes that were ever on their way to the cluster at a time */
  readonly mostAtOnce: () => number;
}

export interface Pace {
  /** how long the cluster takes for a write; milliseconds */
  readonly writeMs?: number;
  /** nothing is done before this is resolved */
  readonly until?: Promise<void>;
  /** how many it works on at a time; the others wait in front of it, and their deadline runs */
  readonly atATime?: number;
  /** how much later the cache hears of a write; milliseconds */
  readonly watchMs?: number;
}

/** As the API server's own transport has it. */
const deadlineMs = 10_000;

const refusal = (status: number, reason: string, message: string) =>
  new KubernetesError({ status, reason, message, retryAfterMs: null });

/** An object is a second younger than the one before it, however fast they are created: precedence depends on it. */
const createdAt = (version: number): string =>
  new Date(Date.parse('2026-01-01T00:00:00Z') + version * 1_000).toISOString().replace('.000Z', 'Z');

/** Another one with each change of the spec, as the kube-apiserver has it. */
function generationOf(before: KubernetesObject | undefined, object: KubernetesObject): number {
  const specOf = (one: KubernetesObject) => JSON.stringify((one as { readonly spec?: unknown }).spec);
  const { generation = 1 } = before?.metadata ?? object.metadata;
  return before === undefined || specOf(before) === specOf(object) ? generation : generation + 1;
}

export function createMemoryCluster(
  stores: ApiStores,
  { writeMs = 0, until = Promise.resolve(), atATime = 20, watchMs = 0 }: Pace,
): MemoryCluster {
  const objects = new Map<string, KubernetesObject>();
  const written: string[] = [];
  const waiting: (() => void)[] = [];
  let version = 100;
  let refused = 0;
  let busy = 0;
  let onTheirWay = 0;
  let most = 0;

  /** null for Secrets, which no process caches */
  const storeOf = (kind: string): Store<KubernetesObject> | null => {
    if (kind === 'Secret') return null;
    const names: Readonly<Record<string, keyof ApiStores>> = {
      Plan: 'plans',
      Account: 'accounts',
      Namespace: 'namespaces',
      Project: 'projects',
      ProjectDomain: 'domains',
      HostnameClaim: 'claims',
      ApiKey: 'apiKeys',
    };
    const name = names[kind];
    if (name === undefined) throw new Error(`no store for ${kind}`);
    return stores[name] as unknown as Store<KubernetesObject>;
  };
  const pathOf = (kind: string, { namespace, name }: { namespace?: string; name: string }) =>
    `${kind} ${namespace ?? ''}/${name}`;
  const keep = (object: KubernetesObject): KubernetesObject => {
    version += 1;
    const path = pathOf(object.kind, object.metadata);
    const before = objects.get(path);
    const uid = before?.metadata.uid ?? object.metadata.uid ?? `uid-${version}`;
    const creationTimestamp = before?.metadata.creationTimestamp ?? createdAt(version);
    const generation = generationOf(before, object);
    const metadata = { creationTimestamp, ...object.metadata, uid, generation, resourceVersion: String(version) };
    const kept = structuredClone({ ...object, metadata });
    objects.set(path, kept);
    return kept;
  };
  const show = (object: KubernetesObject, gone: boolean) => {
    const store = storeOf(object.kind);
    if (store === null) return;
    const tell = () => (gone ? store.drop(object) : store.put(structuredClone(object)));
    if (watchMs === 0) tell();
    else setTimeout(tell, watchMs);
  };
  const enter = () =>
    new Promise<void>((resolve, reject) => {
      if (busy < atATime) {
        busy += 1;
        return resolve();
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(new TransportError('aborted due to timeout'));
      }, deadlineMs);
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(go);
    });
  const during = async <T>(work: () => T): Promise<T> => {
    onTheirWay += 1;
    most = Math.max(most, onTheirWay);
    try {
      await enter();
      try {
        await new Promise((done) => setTimeout(done, writeMs));
        await until;
        return work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else busy -= 1;
      }
    } finally {
      onTheirWay -= 1;
    }
  };
  const write = <T extends KubernetesObject>(
    object: KubernetesObject,
    check: (before: KubernetesObject | undefined) => void,
  ): Promise<T> =>
    during(() => {
      if (refused > 0) {
        refused -= 1;
        throw refusal(503, 'ServiceUnavailable', 'etcd is away');
      }
      check(objects.get(pathOf(object.kind, object.metadata)));
      const kept = keep(object);
      written.push(`${object.metadata.namespace ?? ''}/${object.metadata.name}`);
      show(kept, false);
      return structuredClone(kept) as T;
    });
  const mustExist = (before: KubernetesObject | undefined) => {
    if (!before) throw refusal(404, 'NotFound', 'not found');
  };
  const unchanged = (object: KubernetesObject) => (before: KubernetesObject | undefined) => {
    mustExist(before);
    if (before?.metadata.resourceVersion !== object.metadata.resourceVersion)
      throw refusal(409, 'Conflict', 'the object has been modified');
  };

  return {
    written,
    refuseNext: (count) => void (refused = count),
    mostAtOnce: () => most,
    put(object) {
      const kept = keep(object as KubernetesObject);
      storeOf(kept.kind)?.put(structuredClone(kept));
    },
    get: <T extends KubernetesObject>({ kind }: Kind<T>, key: ObjectKey) =>
      during(() => structuredClone(objects.get(pathOf(kind, key))) as T | undefined),
    list: () => Promise.reject(new Error('nothing is listed here')),
    create: (_, object) =>
      write(object, (before) => {
        if (before) throw refusal(409, 'AlreadyExists', `${object.metadata.name} already exists`);
      }),
    replace: (_, object) => write(object, unchanged(object)),
    replaceStatus: (_, object) => write(object, unchanged(object)),
    apply: (_, intent) => write({ ...objects.get(pathOf(intent.kind, intent.metadata)), ...intent }, () => undefined),
    applyStatus: (_, intent) => write({ ...objects.get(pathOf(intent.kind, intent.metadata)), ...intent }, mustExist),
    remove: ({ kind }, { namespace, name }, { uid, resourceVersion } = {}) =>
      during(() => {
        const path = pathOf(kind, { namespace, name });
        const before = objects.get(path);
        if (!before) return false;
        const isAnother = uid !== undefined && uid !== before.metadata.uid;
        if (isAnother || (resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion))
          throw refusal(409, 'Conflict', 'the precondition fails');
        objects.delete(path);
        written.push(`${namespace}/${name}`);
        show(before, true);
        return true;
      }),
  };
}
