import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import { KubernetesError, TransportError, HistoryChangedError, needsNewList, isEarlier } from './kubernetes-errors.ts';
import { replaceStoreContents } from './replace-store-contents.ts';
import { responseLines } from './transport.ts';
import { listAll, trimmed } from './list-pages.ts';
import { collectionPath, query } from './object-keys.ts';
import type { Kind, KubernetesObject, ListOptions } from './kubernetes-port.ts';
import type { Store } from './store.ts';
import type { Transport } from './transport.ts';

/** Waits, in milliseconds. Tests shorten them; the defaults are Kubernetes' own habits. */
export interface ReflectorTimes {
  /** bookmarks come about every minute, so silence beyond this is a dead connection */
  readonly idleMs: number;
  /** a version is gone on with for so long after the API server was last heard; nobody restores etcd in less */
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

const askedAtMostMs = 120_000;

export interface ReflectorOptions<T extends KubernetesObject> {
  readonly transport: Transport;
  readonly kind: Kind<T>;
  readonly store: Store<T>;
  readonly log: Log;
  readonly clock: Clock;
  /** shared with whatever else works in parts in this process */
  readonly slices: TimeSlices;
  readonly select?: ListOptions;
  readonly times?: ReflectorTimes;
}

export interface Reflector {
  /** Resolves when the store first holds a whole list. */
  readonly synced: Promise<void>;
  /** Milliseconds since the API server last said anything about this kind. */
  staleness(): number;
  /** Resolves once the signal was aborted and nothing runs any more. */
  readonly stopped: Promise<void>;
}

interface WatchLine<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T & { readonly code?: number; readonly message?: string; readonly reason?: string };
}

/**
 * Keeps a store equal to what the API server holds: list, then watch from the list's version, for ever. Whatever goes
 * wrong, it goes on: from the last version seen, or with a new list when that version is gone or may belong to a history
 * that is no more, as after a restore of etcd. Ends only by `signal`.
 */
export function startReflector<T extends KubernetesObject>(
  options: ReflectorOptions<T>,
  signal: AbortSignal,
): Reflector {
  const synced = Promise.withResolvers<void>();
  const { clock } = options;
  let heardAt = clock.elapsed();
  const heard = () => {
    heardAt = clock.elapsed();
  };
  const staleness = () => clock.elapsed() - heardAt;
  const times = options.times ?? defaultTimes;
  const stopped = keepUp({ ...options, times, heard, staleness, synced: synced.resolve }, signal);
  return { synced: synced.promise, staleness, stopped };
}

interface Run<T extends KubernetesObject> extends ReflectorOptions<T> {
  readonly times: ReflectorTimes;
  readonly heard: () => void;
  /** milliseconds since then */
  readonly staleness: () => number;
  readonly synced: () => void;
}

async function keepUp<T extends KubernetesObject>(run: Run<T>, signal: AbortSignal): Promise<void> {
  const position: Position = { version: null, progressed: false, busy: false };
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (!position.busy && run.staleness() > run.times.trustedMs) position.version = null;
      if (position.version === null) await relist(run, position);
      await watch(run, position, signal);
      position.busy = false;
      if (!position.progressed) throw new TransportError('the watch ended at once');
      failures = 0;
      position.progressed = false;
      await pause(run, failures, null, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (needsNewList(error)) position.version = null;
      position.busy = error instanceof KubernetesError && error.status === 429;
      failures = position.progressed ? 1 : failures + 1;
      position.progressed = false;
      run.log[isWorthSaying(failures) ? 'warn' : 'debug'](
        { kind: run.kind.kind, err: error, failures },
        'watch ended by a fault',
      );
      await pause(run, failures, error, signal);
    }
  }
}

/** A kind may be away for hours: the first fault is said, then the 2nd, 4th, 8th, … */
const isWorthSaying = (failures: number): boolean => Number.isInteger(Math.log2(failures));

/** Where the next watch begins; null when only a list can tell. */
interface Position {
  version: string | null;
  /** a watch delivered something since the last fault; a list alone is no progress, else "gone" would list for ever */
  progressed: boolean;
  /** the last try was answered 429: the API server is there, and is not asked for a whole list besides */
  busy: boolean;
}

async function relist<T extends KubernetesObject>(run: Run<T>, position: Position): Promise<void> {
  const { items, resourceVersion } = await listAll(run.transport, run.kind, run.select);
  await replaceStoreContents(run.store, items, run.slices);
  position.version = resourceVersion;
  run.heard();
  run.synced();
}

async function watch<T extends KubernetesObject>(run: Run<T>, position: Position, signal: AbortSignal): Promise<void> {
  const { watchMinMs, watchMaxMs, idleMs } = run.times;
  const timeoutSeconds = Math.ceil((watchMinMs + Math.random() * (watchMaxMs - watchMinMs)) / 1_000);
  const asked = query({
    watch: true,
    allowWatchBookmarks: true,
    resourceVersion: position.version ?? '',
    timeoutSeconds,
    labelSelector: run.select?.labelSelector,
  });
  const quiet = new AbortController();
  const wakeful = setTimeout(() => quiet.abort(new HistoryChangedError('no data on the watch')), idleMs);
  try {
    const path = collectionPath(run.kind, run.select?.namespace) + asked;
    const body = await opened(run.transport.stream(path, AbortSignal.any([signal, quiet.signal])));
    run.heard();
    for await (const line of responseLines(body)) {
      wakeful.refresh();
      run.heard();
      take(run, position, line);
    }
    run.heard();
  } finally {
    clearTimeout(wakeful);
  }
}

/**
 * A watch that ends is gone on with. One that cannot be begun again at once means that the API server was away, and it may
 * come back with an etcd that was restored; a version of the old history may even be reached again before it is asked for.
 */
async function opened<T>(stream: Promise<T>): Promise<T> {
  try {
    return await stream;
  } catch (error) {
    const away = error instanceof TransportError || (error instanceof KubernetesError && error.status >= 500);
    throw away ? new HistoryChangedError('the API server was away', { cause: error }) : error;
  }
}

function take<T extends KubernetesObject>(run: Run<T>, position: Position, line: string): void {
  const { type, object } = parse<T>(line);
  if (type === 'ERROR') {
    const { code = 500, reason = 'WatchError', message = '' } = object;
    throw new KubernetesError({ status: code, reason, message, retryAfterMs: null });
  }
  const version = object.metadata.resourceVersion ?? position.version;
  if (isEarlier(version, position.version))
    throw new HistoryChangedError(`version ${version} follows ${position.version}`);
  if (type !== 'BOOKMARK') {
    const subject = trimmed(run.kind, object);
    if (type === 'DELETED') run.store.drop(subject);
    else run.store.put(subject);
  }
  position.version = version;
  position.progressed = true;
}

function parse<T>(line: string): WatchLine<T> {
  try {
    return JSON.parse(line) as WatchLine<T>;
  } catch (error) {
    throw new TransportError('a watch event is not JSON', { cause: error });
  }
}

/** Full jitter between the least wait and a doubling bound; what the server asks for is the least, within reason. */
async function pause<T extends KubernetesObject>(
  run: Run<T>,
  failures: number,
  error: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { backoffMinMs, backoffMaxMs } = run.times;
  const bound = Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(failures, 16));
  const asked = error instanceof KubernetesError ? (error.retryAfterMs ?? 0) : 0;
  const wait = Math.max(Math.min(asked, askedAtMostMs), backoffMinMs + Math.random() * (bound - backoffMinMs));
  await run.clock.sleep(wait, signal).catch(() => undefined);
}
