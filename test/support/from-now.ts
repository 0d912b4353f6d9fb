/** A moment so many milliseconds from now (before now where negative), for what a test writes into an object: milliseconds since the epoch. */
export const fromNow = (ms: number): number => Date.now() + ms;
