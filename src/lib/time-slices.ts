/** Work that waits for nothing would otherwise hold the event loop to its end, however short each part of it is. */
export interface TimeSlices {
  /**
   * Resolves at once while the slice lasts; after it, in a later turn of the event loop, when it is this one's turn in
   * a new slice. Whoever works in parts awaits it before each.
   */
  next(): Promise<void>;
}

const sliceMs = 5;

/** Slices of five milliseconds, shared by everybody who is given them. `elapsed`: milliseconds since some moment. */
export function createTimeSlices(elapsed: () => number): TimeSlices {
  let turnedAt = elapsed();
  let turning: Promise<void> | null = null;
  const turn = () =>
    (turning ??= new Promise((resolve) => {
      setImmediate(() => {
        turnedAt = elapsed();
        turning = null;
        resolve();
      });
    }));
  return {
    async next() {
      while (elapsed() - turnedAt >= sliceMs) await turn();
    },
  };
}
