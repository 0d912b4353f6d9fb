/**
 * How far the events of this process have been dealt with. Time is divided into epochs, one after the other; work belongs to the
 * epoch in which it began to wait.
 */
export interface UnfinishedWork {
  /**
   * Work begins to wait, of the current epoch unless another one is given: that of the work that led to it, which has not ended.
   * Returns the epoch, for `end`.
   */
  begin(epoch?: number): number;
  /** Work of that epoch was done. */
  end(epoch: number): void;
  /** Ends the current epoch, begins the next one, and returns the one that ended. */
  nextEpoch(): number;
  /** True when all work of that epoch, and of those before it, was done. */
  isDone(epoch: number): boolean;
}

export function createUnfinishedWork(): UnfinishedWork {
  /** how much is unfinished, by epoch */
  const counts = new Map<number, number>();
  let current = 0;
  return {
    begin(epoch = current) {
      counts.set(epoch, (counts.get(epoch) ?? 0) + 1);
      return epoch;
    },
    end(epoch) {
      const left = (counts.get(epoch) ?? 0) - 1;
      if (left > 0) counts.set(epoch, left);
      else counts.delete(epoch);
    },
    nextEpoch() {
      current += 1;
      return current - 1;
    },
    isDone(epoch) {
      return Math.min(...counts.keys()) > epoch;
    },
  };
}
