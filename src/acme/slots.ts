/** So many pieces of work run at a time; the others wait in turn, no longer than their signal. */
export type Slots = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();

  const take = (signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        waiting.delete(begin);
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(begin);
        reject(signal.reason as Error);
      };
      waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  };
  const giveBack = () => {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  };

  return async (signal, work) => {
    await take(signal);
    try {
      return await work();
    } finally {
      giveBack();
    }
  };
}
