/** The bounds on a wait; milliseconds. */
export interface BackoffBounds {
  readonly least: number;
  readonly most: number;
}

/**
 * How long to wait before looking again at what somebody else has to mend: half of how long it has been so, within the
 * bounds. Thousands of accounts that wait for one administrator then cost little, and what is new is seen soon. Milliseconds.
 */
export const requeueBackoffMs = (lastedMs: number, { least, most }: BackoffBounds): number =>
  Math.min(most, Math.max(least, lastedMs / 2));
