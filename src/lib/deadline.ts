/**
 * Does work with a signal that aborts after `ms` milliseconds, and with `signal` when one is given. The timer ends with the
 * work; one of `AbortSignal.timeout` stays until it fires, with all that its async context holds: of tens of thousands of
 * short pieces of work within a minute that is most of the heap.
 */
export async function withinDeadline<T>(
  { ms, signal }: { readonly ms: number; readonly signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException(`not done within ${ms} ms`, 'TimeoutError')), ms);
  try {
    return await work(signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal);
  } finally {
    clearTimeout(timer);
  }
}
