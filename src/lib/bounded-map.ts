/** A map that holds a limited number of entries. What was set least recently makes room for what is new. */
export interface BoundedMap<Value> {
  /** Undefined without the entry. Reading does not make it more recent. */
  get(key: string): Value | undefined;
  /** Makes the entry the most recent one, also where it was there before. */
  set(key: string, value: Value): void;
  delete(key: string): void;
  /** The values, the oldest first. */
  values(): Iterable<Value>;
}

/** In a ring in the order of their last `set`. */
interface Entry<Value> {
  readonly key: string;
  value: Value;
  older: Entry<Value>;
  newer: Entry<Value>;
}

/**
 * Never holds more than `most` entries. Their order is a list of its own: to find the oldest entry of a Map, V8 passes all that were deleted before
 * it, which takes longer the more there are.
 */
export function createBoundedMap<Value>(most: number): BoundedMap<Value> {
  const entries = new Map<string, Entry<Value>>();
  /** between the newest and the oldest entry */
  const ring = {} as Entry<Value>;
  ring.older = ring;
  ring.newer = ring;

  const unlink = (entry: Entry<Value>) => {
    entry.older.newer = entry.newer;
    entry.newer.older = entry.older;
  };
  const linkAsNewest = (entry: Entry<Value>) => {
    entry.older = ring.older;
    entry.newer = ring;
    ring.older.newer = entry;
    ring.older = entry;
  };
  const remove = (entry: Entry<Value>) => {
    unlink(entry);
    entries.delete(entry.key);
  };

  return {
    get: (key) => entries.get(key)?.value,
    set(key, value) {
      const known = entries.get(key);
      if (known) {
        known.value = value;
        unlink(known);
        return linkAsNewest(known);
      }
      const entry: Entry<Value> = { key, value, older: ring, newer: ring };
      entries.set(key, entry);
      linkAsNewest(entry);
      if (entries.size > most) remove(ring.newer);
    },
    delete(key) {
      const known = entries.get(key);
      if (known) remove(known);
    },
    *values() {
      for (let entry = ring.newer; entry !== ring; entry = entry.newer) yield entry.value;
    },
  };
}
