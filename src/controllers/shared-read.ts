/** A read that all who want it within `keptMs` share, by a clock in milliseconds. */
interface SharedReadOptions {
  readonly keptMs: number;
  readonly elapsed: () => number;
}

/** `read`, once for all callers within `keptMs`. A failed read is not kept: who waits for it gets the error, the next caller reads again. */
export function sharedRead<T>(read: () => Promise<T>, { keptMs, elapsed }: SharedReadOptions): () => Promise<T> {
  let kept: { readonly at: number; readonly result: Promise<T> } | null = null;
  return () => {
    if (kept !== null && elapsed() - kept.at < keptMs) return kept.result;
    const result = read();
    kept = { at: elapsed(), result };
    result.catch(() => (kept = null));
    return result;
  };
}
