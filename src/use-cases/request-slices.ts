import { setImmediate } from 'node:timers/promises';

/** How long a request may hold the event loop before others have their turn; milliseconds. */
const sliceMs = 10;

/** To be awaited between the steps of long work: gives way once the slice is used up. */
export function createRequestSlices(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await setImmediate();
    began = performance.now();
  };
}
