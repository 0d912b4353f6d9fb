import type { KubernetesObject, ObjectKey } from '../kubernetes/kubernetes-port.ts';
import type { LiveCache } from './api-dependencies.ts';

export interface Patience {
  /** milliseconds */
  readonly ms: number;
  /** ends the wait early: the client went away, or the server stops */
  readonly signal: AbortSignal;
}

interface Ending {
  readonly patience: Patience;
  /** told once: whether it was shown, or patience ended */
  readonly end: (shown: boolean) => void;
}

/** Calls `end` as soon as the cache shows of the key what is waited for. Returns what ends the wait at once. */
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
  const look = () => {
    if (holds(cache.get(key))) stop(true);
  };
  const unsubscribe = cache.subscribeTo(key, look);
  const timer = setTimeout(giveUp, ms);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  else look();
  return giveUp;
}

/**
 * Resolves to true once the cache shows of the key what is waited for (undefined: there is no such object), to false
 * when patience ends first.
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

/** How long a write waits for the cache, so that whoever reads next sees it. */
const cacheDelayMs = 1_000;

/**
 * Waits, within reason, until the cache shows what a write ended with, or what came after it: versions of one kind are
 * numbers that grow (KEP-5504).
 */
export async function settled<T extends KubernetesObject>(
  cache: LiveCache<T>,
  { metadata }: T,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name, resourceVersion = '' } = metadata;
  const shown = (object: T | undefined) => Number(object?.metadata.resourceVersion) >= Number(resourceVersion);
  await until(cache, { namespace, name }, shown, { ms: cacheDelayMs, signal });
}

/** How long whoever deletes something waits for the cache to show it. */
const deletionShownWithinMs = 1_000;

/** Waits, within reason, until the cache no longer shows what was deleted. Another one of its name is not it. */
export async function deletionShown<T extends KubernetesObject>(
  cache: LiveCache<T>,
  { metadata }: T,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name, uid } = metadata;
  const isGone = (object: T | undefined) => object === undefined || object.metadata.uid !== uid;
  await until(cache, { namespace, name }, isGone, { ms: deletionShownWithinMs, signal });
}
