const lookEveryMs = 10;
/** Nobody else could end it. */
const looksAtMost = 12_000;

/** Holds the event loop of this process until something has happened elsewhere, as a long garbage collection does. */
export function holdLoopUntil(hasHappened: () => boolean): void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (let looks = 0; !hasHappened(); looks += 1) {
    if (looks === looksAtMost) throw new Error('what the event loop was held for did not happen');
    Atomics.wait(never, 0, 0, lookEveryMs);
  }
}
