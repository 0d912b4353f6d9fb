import type { Clock } from '../runtime/clock.ts';

/** `high` for what people wait for; `low` for first lists and resyncs. */
export type Priority = 'high' | 'low';

export interface AddOptions {
  readonly priority?: Priority;
  /** milliseconds from now before the key may run */
  readonly delayMs?: number;
}

/**
 * A set of keys to work on. A key is never with two workers at once; added while it runs, it runs again afterwards.
 * Of several adds the earliest time and the highest priority win.
 */
export interface Queue {
  add(key: string, options?: AddOptions): void;
  /** After a fault: comes back after a back-off that doubles with each one in a row, 1 s to 5 min, with jitter. */
  retry(key: string): void;
  /** The next key that is due; null once the signal aborted. The caller ends it with done(). */
  take(signal: AbortSignal): Promise<string | null>;
  done(key: string): void;
  /** After success: the next fault backs off from the start. */
  forget(key: string): void;
  /** Keys that are due and wait for a worker. */
  depth(): number;
}

interface Waiting {
  readonly at: number;
  readonly priority: Priority;
}

const backoffMinMs = 1_000;
const backoffMaxMs = 300_000;

export function createQueue(clock: Clock): Queue {
  const waiting = new Map<string, Waiting>();
  const running = new Set<string>();
  const failures = new Map<string, number>();
  const idle = new Set<() => void>();

  const wake = () => {
    const resolve = idle.values().next().value;
    if (!resolve) return;
    idle.delete(resolve);
    resolve();
  };
  const add = (key: string, { priority = 'high', delayMs = 0 }: AddOptions = {}) => {
    const at = clock.elapsed() + delayMs;
    const before = waiting.get(key);
    const merged: Waiting = before
      ? { at: Math.min(before.at, at), priority: before.priority === 'high' ? 'high' : priority }
      : { at, priority };
    waiting.set(key, merged);
    wake();
  };
  const due = (): string | undefined => {
    const now = clock.elapsed();
    let best: [string, Waiting] | undefined;
    for (const entry of waiting) {
      const [key, { at }] = entry;
      if (at > now || running.has(key)) continue;
      if (best === undefined || goesFirst(entry[1], best[1])) best = entry;
    }
    return best?.[0];
  };
  const nextAt = (): number => {
    let first = Number.POSITIVE_INFINITY;
    for (const [key, { at }] of waiting) if (at < first && !running.has(key)) first = at;
    return first;
  };
  const untilSomething = async (signal: AbortSignal) => {
    const woken = Promise.withResolvers<void>();
    const timer = new AbortController();
    const stop = AbortSignal.any([signal, timer.signal]);
    idle.add(woken.resolve);
    const pause = Math.min(nextAt() - clock.elapsed(), 60_000);
    await Promise.race([woken.promise, clock.sleep(Math.max(0, pause), stop).catch(() => undefined)]);
    idle.delete(woken.resolve);
    timer.abort();
  };

  return {
    add,
    retry(key) {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      const bound = Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(count - 1, 20));
      add(key, { priority: 'low', delayMs: bound * (0.5 + Math.random() / 2) });
    },
    async take(signal) {
      while (!signal.aborted) {
        const key = due();
        if (key !== undefined) {
          waiting.delete(key);
          running.add(key);
          return key;
        }
        await untilSomething(signal);
      }
      return null;
    },
    done(key) {
      running.delete(key);
      wake();
    },
    forget: (key) => void failures.delete(key),
    depth: () => [...waiting].filter(([key, { at }]) => at <= clock.elapsed() && !running.has(key)).length,
  };
}

function goesFirst(a: Waiting, b: Waiting): boolean {
  if (a.priority !== b.priority) return a.priority === 'high';
  return a.at < b.at;
}
