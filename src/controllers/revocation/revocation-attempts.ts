import { createBoundedMap } from '../../lib/bounded-map.ts';

/** What this process tried in vain: to revoke one certificate, or to have a hostname's replaced. */
export interface RevocationAttempt {
  /** how often in a row */
  tries: number;
  /** before then nothing is tried, whatever wakes it; milliseconds since the Unix epoch */
  restsUntil: number;
}

/** By the uid of the request that a certificate was ordered for, or by hostname. */
export interface RevocationAttempts {
  of(key: string): RevocationAttempt;
  forget(key: string): void;
}

/** What is forgotten is tried as if for the first time. */
const attemptsAtMost = 10_000;

export function createRevocationAttempts(): RevocationAttempts {
  const known = createBoundedMap<RevocationAttempt>(attemptsAtMost);
  return {
    of(key) {
      const attempt = known.get(key) ?? { tries: 0, restsUntil: 0 };
      known.set(key, attempt);
      return attempt;
    },
    forget: (key) => known.delete(key),
  };
}
