import type { KubeObject, ObjectKey } from '../kube/port.ts';
import type { LiveCache } from './world.ts';

export interface Patience {
  /** milliseconds */
  readonly ms: number;
  /** ends the wait early: the client went away, or the server stops */
  readonly signal: AbortSignal;
}

/**
 * Resolves to true once the cache shows of the key what is waited for (undefined: there is no such object), to false
 * when patience ends first.
 */
export function until<T extends KubeObject>(
  cache: LiveCache<T>,
  { namespace, name }: ObjectKey,
  holds: (object: T | undefined) => boolean,
  { ms, signal }: Patience,
): Promise<boolean> {
  const key = { namespace, name };
  if (holds(cache.get(key))) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      unsubscribe();
      resolve(answer);
    };
    const giveUp = () => end(false);
    const unsubscribe = cache.subscribe(({ object: { metadata } }) => {
      if (metadata.name === name && (metadata.namespace ?? '') === namespace && holds(cache.get(key))) end(true);
    });
    const timer = setTimeout(giveUp, ms);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
}

/** How long a write waits for the cache, so that whoever reads next sees it. */
const cacheDelayMs = 1_000;

/**
 * Waits, within reason, until the cache shows what a write ended with, or what came after it: versions of one kind are
 * numbers that grow (KEP-5504).
 */
export async function settled<T extends KubeObject>(
  cache: LiveCache<T>,
  { metadata }: T,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name, resourceVersion = '' } = metadata;
  const shown = (object: T | undefined) => Number(object?.metadata.resourceVersion) >= Number(resourceVersion);
  await until(cache, { namespace, name }, shown, { ms: cacheDelayMs, signal });
}
