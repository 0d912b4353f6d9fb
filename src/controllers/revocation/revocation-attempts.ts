import { createAttempts } from '../../lib/attempts.ts';

/** What this process tried in vain: to revoke one certificate, or to have a hostname's replaced. */
export interface RevocationAttempt {
  /** how often in a row */
  tries: number;
  /** before then nothing is tried, whatever wakes it; milliseconds since the Unix epoch */
  restsUntil: number;
}

/** By the uid of the request that a certificate was ordered for, or by hostname. */
export const createRevocationAttempts = () => createAttempts<RevocationAttempt>(() => ({ tries: 0, restsUntil: 0 }));
