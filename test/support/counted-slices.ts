import type { TimeSlices } from '../../src/lib/time-slices.ts';

/** How often parts of long work have asked for their turn. */
export interface Steps {
  count(): number;
}

export function countedSlices(slices: TimeSlices): TimeSlices & Steps {
  let count = 0;
  return {
    next() {
      count += 1;
      return slices.next();
    },
    count: () => count,
  };
}
