/** Counts what is seen to happen, and lets a test go on once it has happened often enough. */
export interface Counter {
  seen(): number;
  note(): void;
  /** Resolves once it was noted so many times more. */
  further(times: number): Promise<void>;
}

export function createCounter(): Counter {
  let count = 0;
  const waiting = new Set<{ readonly until: number; readonly done: () => void }>();
  return {
    seen: () => count,
    note() {
      count += 1;
      for (const one of waiting) {
        if (count < one.until) continue;
        waiting.delete(one);
        one.done();
      }
    },
    further: (times) => new Promise((done) => void waiting.add({ until: count + times, done })),
  };
}
