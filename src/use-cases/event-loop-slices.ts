import { setImmediate } from 'node:timers/promises';

/** How long a request may occupy the event loop before it yields; milliseconds. */
const sliceMs = 5;

/** Of one request: to be awaited after each part of long work. Resolves at once, or in a later turn of the event loop when the slice is over. */
export function createSlices(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await setImmediate();
    began = performance.now();
  };
}
