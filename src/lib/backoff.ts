/** Bounds of a back-off; milliseconds. */
export interface BackoffBounds {
  readonly first: number;
  readonly longest: number;
}

/** Doublings beyond these change nothing, and 2 to the power of very many is no number any more. */
const mostDoublings = 20;

/** How long to wait after so many faults in a row, at least one: doubled with each, milliseconds. */
export const backoff = (faults: number, { first, longest }: BackoffBounds): number =>
  Math.min(longest, first * 2 ** Math.min(faults - 1, mostDoublings));

/** Between half of it and all, so that those who fail together do not come back together. */
export const withJitter = (ms: number): number => ms * (0.5 + Math.random() / 2);
