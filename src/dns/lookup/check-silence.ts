/**
 * Which servers have not answered during one check, so that their silence is paid for once and not with every query.
 * Times are milliseconds of one monotonic clock.
 */
export interface CheckSilence {
  /** Number of timeouts in a row; those of queries that were in flight together count as one. */
  timeouts(address: string): number;
  noteTimeout(address: string, tried: { readonly from: number; readonly to: number }): void;
  noteAnswer(address: string): void;
}

export function createCheckSilence(): CheckSilence {
  const silent = new Map<string, { readonly timeouts: number; readonly until: number }>();
  return {
    timeouts: (address) => silent.get(address)?.timeouts ?? 0,
    noteTimeout(address, { from, to }) {
      const before = silent.get(address) ?? { timeouts: 0, until: -Infinity };
      if (from >= before.until) silent.set(address, { timeouts: before.timeouts + 1, until: to });
    },
    noteAnswer: (address) => void silent.delete(address),
  };
}
