import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import { KubernetesError, TransportError, HistoryChangedError, needsNewList, isEarlier } from './kubernetes-errors.ts';
import type { StoreReplacement } from './replace-store-contents.ts';
import { replaceStoreContents } from './replace-store-contents.ts';
import { responseLines } from './transport.ts';
import { listPages, trimmed, withFreshList } from './list-pages.ts';
import { collectionPath, keyOf, query } from './object-keys.ts';
import type { Kind, KubernetesObject, ListOptions, WatchedKind } from './kubernetes-port.ts';
import type { Store } from './store.ts';
import type { Transport } from './transport.ts';

/** Timings in milliseconds. Tests shorten them; the defaults follow Kubernetes' own. */
export interface ReflectorTimes {
  /** bookmarks arrive about every minute, so a watch that is silent for longer is a dead connection */
  readonly idleMs: number;
  /** how long after the last data a watch may resume from its version; restoring etcd takes longer */
  readonly trustedMs: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** the server ends a watch after a random time in this range */
  readonly watchMinMs: number;
  readonly watchMaxMs: number;
}

export const defaultTimes: ReflectorTimes = Object.freeze({
  idleMs: 70_000,
  trustedMs: 2_000,
  backoffMinMs: 800,
  backoffMaxMs: 30_000,
  watchMinMs: 300_000,
  watchMaxMs: 600_000,
});

const retryAfterAtMostMs = 120_000;

export interface ReflectorOptions<T extends KubernetesObject> {
  readonly transport: Transport;
  readonly kind: Kind<T>;
  readonly store: Store<T, unknown>;
  /** what the store is given of an object, undefined for none of it; all of it when absent */
  readonly keep?: WatchedKind<T>['keep'];
  readonly log: Log;
  readonly clock: Clock;
  /** shared with all other sliced work of this process */
  readonly slices: TimeSlices;
  readonly select?: ListOptions;
  readonly times?: ReflectorTimes;
}

export interface Reflector<T extends KubernetesObject = KubernetesObject> {
  /** Resolves when the store first holds a complete list. */
  readonly synced: Promise<void>;
  /** Milliseconds since the kube-apiserver last sent anything about this kind. */
  staleness(): number;
  /** How many objects the store holds. */
  size(): number;
  /**
   * Stores what a write of ours was answered with, unless the watch is past it already: whoever reads the store next sees it, however far behind the
   * watch is. Nothing is stored while there is no complete list.
   */
  written(object: T): void;
  /** Resolves once the signal has aborted and nothing runs any more. */
  readonly stopped: Promise<void>;
}

interface WatchLine<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T & { readonly code?: number; readonly message?: string; readonly reason?: string };
}

/** On the bookmark after the last object that a watch with sendInitialEvents began with. */
const initialEventsEnd = 'k8s.io/initial-events-end';

/**
 * Keeps a store in sync with the kube-apiserver until `signal` aborts by a watch that begins with all objects (KEP-3157,
 * streaming lists), one after the other and from the kube-apiserver's own cache; where that is refused, by a list in pages and a
 * watch from its version. After any error it resumes from the last version seen, or begins anew when that version has expired
 * or may belong to a history that no longer exists, as after a restore of etcd.
 */
export function startReflector<T extends KubernetesObject>(
  options: ReflectorOptions<T>,
  signal: AbortSignal,
): Reflector<T> {
  const synced = Promise.withResolvers<void>();
  const { clock } = options;
  let heardAt = clock.elapsed();
  const heard = () => {
    heardAt = clock.elapsed();
  };
  const staleness = () => clock.elapsed() - heardAt;
  const { times = defaultTimes, keep = (object) => object } = options;
  const position: Position = { version: null, ahead: new Map(), streamsLists: true, progressed: false, busy: false };
  const run = { ...options, times, keep, heard, staleness, synced: synced.resolve };
  const stopped = listAndWatch(run, position, signal);
  const { store } = options;
  return {
    synced: synced.promise,
    staleness,
    size: () => store.size,
    written: (object) => takeWritten(run, position, object),
    stopped,
  };
}

interface Run<T extends KubernetesObject> extends ReflectorOptions<T> {
  readonly keep: WatchedKind<T>['keep'];
  readonly times: ReflectorTimes;
  readonly heard: () => void;
  /** milliseconds since the last call of `heard` */
  readonly staleness: () => number;
  readonly synced: () => void;
}

async function listAndWatch<T extends KubernetesObject>(
  run: Run<T>,
  position: Position,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (!position.busy && run.staleness() > run.times.trustedMs) position.version = null;
      await fillAndWatch(run, position, signal);
      position.busy = false;
      if (!position.progressed) throw new TransportError('the watch ended without an event');
      failures = 0;
      position.progressed = false;
      await pause(run, failures, null, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (needsNewList(error)) position.version = null;
      position.busy = error instanceof KubernetesError && error.status === 429;
      failures = position.progressed ? 1 : failures + 1;
      position.progressed = false;
      run.log[isWarning(failures) ? 'warn' : 'debug'](
        { kind: run.kind.kind, err: error, failures },
        'the watch failed and is restarted',
      );
      await pause(run, failures, error, signal);
    }
  }
}

/** A kind may be unavailable for hours: only the 1st, 2nd, 4th, 8th, … failure in a row is a warning. */
const isWarning = (failures: number): boolean => Number.isInteger(Math.log2(failures));

/** Older kube-apiservers, and newer ones that are told so, refuse such a watch as invalid. */
const isStreamRefused = ({ version, streamsLists }: Position, error: unknown): boolean =>
  version === null && streamsLists && error instanceof KubernetesError && [400, 422].includes(error.status);

/** Where the next watch begins. */
interface Position {
  /** null when all objects are needed first */
  version: string | null;
  /** versions of objects that writes of ours were answered with, by key, until the watch brings them */
  readonly ahead: Map<string, string>;
  /** a watch may begin with all objects */
  streamsLists: boolean;
  /** a watch delivered an event since the last failure; a list does not count, or repeated 410s would never back off */
  progressed: boolean;
  /** the last attempt was answered 429: the kube-apiserver is up, and a complete list would only add load */
  busy: boolean;
}

async function fillAndWatch<T extends KubernetesObject>(
  run: Run<T>,
  position: Position,
  signal: AbortSignal,
): Promise<void> {
  if (position.version === null && !position.streamsLists) await relist(run, position);
  try {
    await watch(run, position, signal);
  } catch (error) {
    if (!isStreamRefused(position, error)) throw error;
    position.streamsLists = false;
    await fillAndWatch(run, position, signal);
  }
}

async function relist<T extends KubernetesObject>(run: Run<T>, position: Position): Promise<void> {
  position.ahead.clear();
  position.version = await withFreshList(async () => {
    const replacement = replaceStoreContents(run.store, run.slices);
    let version = '';
    for await (const { items, resourceVersion } of listPages(run.transport, run.kind, run.select)) {
      await replacement.take(items.map(run.keep).filter((item) => item !== undefined));
      version = resourceVersion;
    }
    await replacement.finish();
    return version;
  });
  run.heard();
  run.synced();
}

async function watch<T extends KubernetesObject>(run: Run<T>, position: Position, signal: AbortSignal): Promise<void> {
  const [idle, ended] = [new AbortController(), new AbortController()];
  let heardAt = run.clock.elapsed();
  const idleForMs = () => run.clock.elapsed() - heardAt;
  const noteIdle = () => idle.abort(new HistoryChangedError('no data on the watch'));
  onceIdle(run, idleForMs, ended.signal).then(noteIdle, () => undefined);
  if (position.version === null) position.ahead.clear();
  let initial = position.version === null ? replaceStoreContents(run.store, run.slices) : null;
  try {
    const body = await opened(run.transport.stream(watchPath(run, position), AbortSignal.any([signal, idle.signal])));
    run.heard();
    for await (const text of responseLines(body)) {
      heardAt = run.clock.elapsed();
      run.heard();
      const line = parse<T>(text);
      if (initial === null) take(run, position, line);
      else if (await isLastOf(run, initial, line)) {
        position.version = line.object.metadata.resourceVersion ?? null;
        run.synced();
        initial = null;
      }
    }
    run.heard();
  } finally {
    ended.abort();
  }
}

/** Resolves when nothing was heard for too long; rejects when the watch ends. */
async function onceIdle<T extends KubernetesObject>(
  { clock, times }: Run<T>,
  idleForMs: () => number,
  ended: AbortSignal,
): Promise<void> {
  for (let leftMs = times.idleMs; leftMs > 0; leftMs = times.idleMs - idleForMs()) await clock.sleep(leftMs, ended);
}

function watchPath<T extends KubernetesObject>({ kind, select, times }: Run<T>, { version }: Position): string {
  const { watchMinMs, watchMaxMs } = times;
  const begin = version === null ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } : {};
  const parameters = query({
    watch: true,
    allowWatchBookmarks: true,
    resourceVersion: version ?? undefined,
    ...begin,
    timeoutSeconds: Math.ceil((watchMinMs + Math.random() * (watchMaxMs - watchMinMs)) / 1_000),
    labelSelector: select?.labelSelector,
  });
  return collectionPath(kind, select?.namespace) + parameters;
}

/** Takes one of the objects that a watch begins with; true for the bookmark after the last one. What changes meanwhile is among them. */
async function isLastOf<T extends KubernetesObject>(
  run: Run<T>,
  initial: StoreReplacement<T>,
  line: WatchLine<T>,
): Promise<boolean> {
  const { type, object } = checked(line);
  if (type === 'BOOKMARK') {
    if (object.metadata.annotations?.[initialEventsEnd] !== 'true') return false;
    await initial.finish();
    return true;
  }
  const kept = type === 'DELETED' ? undefined : run.keep(trimmed(run.kind, object));
  if (kept) await initial.take([kept]);
  else run.store.drop(object);
  return false;
}

/**
 * A watch that ended is resumed. If that fails at once, the kube-apiserver was unavailable and may come back with a
 * restored etcd, whose new history may even reach the known version again before the watch asks for it.
 */
async function opened<T>(stream: Promise<T>): Promise<T> {
  try {
    return await stream;
  } catch (error) {
    const isUnavailable = error instanceof TransportError || (error instanceof KubernetesError && error.status >= 500);
    throw isUnavailable ? new HistoryChangedError('the kube-apiserver was unavailable', { cause: error }) : error;
  }
}

function take<T extends KubernetesObject>(run: Run<T>, position: Position, line: WatchLine<T>): void {
  const { type, object } = checked(line);
  const version = object.metadata.resourceVersion ?? position.version;
  if (isEarlier(version, position.version))
    throw new HistoryChangedError(`version ${version} follows ${position.version}`);
  if (type !== 'BOOKMARK' && !isBehindOurWrite(position, object)) {
    const kept = type === 'DELETED' ? undefined : run.keep(trimmed(run.kind, object));
    if (kept) run.store.put(kept);
    else run.store.drop(object);
  }
  position.version = version;
  position.progressed = true;
}

/** Versions of one kind are in the order in which they were written (KEP-5504), so one beyond the watch's is something it has not brought yet. */
function takeWritten<T extends KubernetesObject>(run: Run<T>, { version, ahead }: Position, object: T): void {
  const key = keyOf(object);
  const { resourceVersion = null } = object.metadata;
  if (!isEarlier(version, resourceVersion) || isEarlier(resourceVersion, ahead.get(key) ?? null)) return;
  const kept = run.keep(object);
  if (!kept || resourceVersion === null) return;
  ahead.set(key, resourceVersion);
  run.store.put(kept);
}

/** An event from before a write of ours whose answer is in the store. */
function isBehindOurWrite({ ahead }: Position, { metadata }: KubernetesObject): boolean {
  const key = keyOf({ metadata });
  const written = ahead.get(key);
  if (written === undefined) return false;
  if (isEarlier(metadata.resourceVersion ?? null, written)) return true;
  ahead.delete(key);
  return false;
}

/** The line, unless it says that the watch has failed. */
function checked<T>(line: WatchLine<T>): WatchLine<T> {
  if (line.type !== 'ERROR') return line;
  const { code = 500, reason = 'WatchError', message = '' } = line.object;
  throw new KubernetesError({ status: code, reason, message, retryAfterMs: null });
}

function parse<T>(line: string): WatchLine<T> {
  try {
    return JSON.parse(line) as WatchLine<T>;
  } catch (error) {
    throw new TransportError('a watch event is not JSON', { cause: error });
  }
}

/** Full jitter between the minimum and a doubling bound, but at least Retry-After, up to two minutes of it. */
async function pause<T extends KubernetesObject>(
  run: Run<T>,
  failures: number,
  error: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { backoffMinMs, backoffMaxMs } = run.times;
  const bound = Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(failures, 16));
  const retryAfter = error instanceof KubernetesError ? (error.retryAfterMs ?? 0) : 0;
  const wait = Math.max(
    Math.min(retryAfter, retryAfterAtMostMs),
    backoffMinMs + Math.random() * (bound - backoffMinMs),
  );
  await run.clock.sleep(wait, signal).catch(() => undefined);
}
