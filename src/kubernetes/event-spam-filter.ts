import { createBoundedMap } from '../lib/bounded-map.ts';

/** The figures of client-go's EventSourceObjectSpamFilter (tools/record, events_cache.go). */
const burst = 25;
const refillMs = 300_000;
const remembered = 4_096;

/**
 * Limits the events about one object, whatever they say: 25 at once, then one every five minutes. The function tells
 * whether one more may be recorded, which then counts. `elapsed`: monotonic milliseconds.
 */
export function createEventSpamFilter(elapsed: () => number): (object: string) => boolean {
  const buckets = createBoundedMap<{ readonly tokens: number; readonly at: number }>(remembered);
  return (object) => {
    const at = elapsed();
    const before = buckets.get(object) ?? { tokens: burst, at };
    const tokens = Math.min(burst, before.tokens + (at - before.at) / refillMs);
    const isAllowed = tokens >= 1;
    buckets.set(object, { tokens: isAllowed ? tokens - 1 : tokens, at });
    return isAllowed;
  };
}
