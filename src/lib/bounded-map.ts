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

/** Never holds more than `most` entries. */
export function createBoundedMap<Value>(most: number): BoundedMap<Value> {
  // A Map iterates in the order in which its keys were inserted.
  const entries = new Map<string, Value>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= most) return;
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    },
    delete: (key) => void entries.delete(key),
    values: () => entries.values(),
  };
}
