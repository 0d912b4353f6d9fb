import { setImmediate as turn } from 'node:timers/promises';

/** Work that waits for nothing would otherwise hold the event loop to its end, however short each part of it is. */
export interface Slices {
  /** True once the event loop has not turned for a slice: whoever works on waits for turn() first. */
  isOver(): boolean;
  turn(): Promise<void>;
}

const sliceMs = 5;

/** Slices of five milliseconds, shared by everybody who is given them. `elapsed`: milliseconds since some moment. */
export function createSlices(elapsed: () => number): Slices {
  let turnedAt = elapsed();
  return {
    isOver: () => elapsed() - turnedAt >= sliceMs,
    async turn() {
      await turn();
      turnedAt = elapsed();
    },
  };
}
