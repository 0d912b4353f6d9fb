import type { KubernetesObject, ObjectKey } from '../kubernetes/kubernetes-port.ts';
import { objectKeyOf } from '../kubernetes/object-keys.ts';
import type { LiveCache } from './api-dependencies.ts';

export interface Patience {
  /** milliseconds */
  readonly ms: number;
  /** ends the wait early: the client disconnected, or the server is stopping */
  readonly signal: AbortSignal;
}

interface Ending {
  readonly patience: Patience;
  /** called once: true if the condition was met, false if patience ended first */
  readonly end: (shown: boolean) => void;
}

/**
 * Calls `end` as soon as the cached object of this key meets the condition. Returns a function that cancels the wait.
 */
export function whenShown<T extends KubernetesObject>(
  cache: Pick<LiveCache<T>, 'get' | 'subscribeTo'>,
  key: ObjectKey,
  holds: (object: T | undefined) => boolean,
  { patience: { ms, signal }, end }: Ending,
): () => void {
  let ended = false;
  const stop = (shown: boolean) => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    unsubscribe();
    end(shown);
  };
  const giveUp = () => stop(false);
  const check = () => {
    if (holds(cache.get(key))) stop(true);
  };
  const unsubscribe = cache.subscribeTo(key, check);
  const timer = setTimeout(giveUp, ms);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  else check();
  return giveUp;
}

/**
 * Resolves to true once the cached object of this key (undefined: there is none) meets the condition, or to false when
 * patience ends first.
 */
export const until = <T extends KubernetesObject>(
  cache: Pick<LiveCache<T>, 'get' | 'subscribeTo'>,
  key: ObjectKey,
  holds: (object: T | undefined) => boolean,
  patience: Patience,
): Promise<boolean> =>
  new Promise((resolve) => {
    if (holds(cache.get(key))) resolve(true);
    else whenShown(cache, key, holds, { patience, end: resolve });
  });

/** How long a write or a deletion waits for the cache, so that the next read sees it: a busy kube-apiserver tells of a change after seconds. */
const cacheDelayMs = 5_000;

/**
 * Waits, for a limited time, until the cache has the version that a write returned or a later one: resource versions of
 * one kind are increasing numbers (KEP-5504).
 */
export async function settled<T extends KubernetesObject>(
  cache: LiveCache<T, unknown>,
  written: T,
  signal: AbortSignal,
): Promise<void> {
  const version = Number(written.metadata.resourceVersion ?? '');
  const shown = (object: T | undefined) => Number(object?.metadata.resourceVersion) >= version;
  await until(cache, objectKeyOf(written), shown, { ms: cacheDelayMs, signal });
}

/**
 * Waits, for a limited time, until the deleted object is gone from the cache. A new object of the same name has another
 * uid.
 */
export async function deletionShown<T extends KubernetesObject>(
  cache: LiveCache<T, unknown>,
  deleted: T,
  signal: AbortSignal,
): Promise<void> {
  const isGone = (object: T | undefined) => object === undefined || object.metadata.uid !== deleted.metadata.uid;
  await until(cache, objectKeyOf(deleted), isGone, { ms: cacheDelayMs, signal });
}
