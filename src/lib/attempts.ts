import { createBoundedMap } from './bounded-map.ts';

/** What a process remembers of what it has tried, by a key such as a uid. */
export interface Attempts<Attempt> {
  /** The one of this key, which may be changed; one that has just begun where none is known. */
  of(key: string): Attempt;
  /** To be called once it has ended. */
  forget(key: string): void;
}

/** Beyond these the one that was asked for least recently is forgotten, and tried as if for the first time. */
const attemptsAtMost = 10_000;

export function createAttempts<Attempt>(begin: () => Attempt): Attempts<Attempt> {
  const known = createBoundedMap<Attempt>(attemptsAtMost);
  return {
    of(key) {
      const attempt = known.get(key) ?? begin();
      known.set(key, attempt);
      return attempt;
    },
    forget: (key) => known.delete(key),
  };
}
