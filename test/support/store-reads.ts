type Store = Record<string, unknown>;

const reading = ['list', 'values', 'keys', 'byIndex', 'keysByIndex', 'get', 'has', 'headOf'];

/** Counts the objects and keys that caches hand out, to whoever asks, until its end, which tells how many. */
export function countReads(stores: object): { end(): number } {
  let read = 0;
  const restore: (() => void)[] = [];
  const counted = function* (found: Iterable<unknown>): Iterable<unknown> {
    for (const one of found) {
      read += 1;
      yield one;
    }
  };
  const count = (found: unknown): unknown => {
    if (Array.isArray(found)) read += found.length;
    else if (isLazy(found)) return counted(found);
    else read += 1;
    return found;
  };
  for (const store of Object.values(stores).filter(isStore))
    for (const name of reading) {
      const before = store[name];
      if (typeof before !== 'function') continue;
      store[name] = (...args: unknown[]) => count(before.apply(store, args) as unknown);
      restore.push(() => void (store[name] = before));
    }
  return {
    end() {
      restore.forEach((one) => one());
      return read;
    },
  };
}

const isStore = (one: unknown): one is Store => typeof one === 'object' && one !== null && 'byIndex' in one;

const isLazy = (found: unknown): found is Iterable<unknown> =>
  typeof found === 'object' && found !== null && Symbol.iterator in found;
