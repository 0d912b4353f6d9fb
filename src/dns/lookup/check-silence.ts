/**
 * Which servers have not answered during one check, so that their silence is paid for once and not with every query.
 * Times are milliseconds of one monotonic clock.
 */
export interface CheckSilence {
  /** Number of timeouts in a row; those of queries that were in flight together count as one. */
  timeouts(address: string): number;
  /** True once it has answered any query of the check. */
  hasAnswered(address: string): boolean;
  noteTimeout(address: string, tried: { readonly from: number; readonly to: number }): void;
  noteAnswer(address: string): void;
}

export function createCheckSilence(): CheckSilence {
  const silent = new Map<string, { readonly timeouts: number; readonly until: number }>();
  const heard = new Set<string>();
  return {
    hasAnswered: (address) => heard.has(address),
    timeouts: (address) => silent.get(address)?.timeouts ?? 0,
    noteTimeout(address, { from, to }) {
      const before = silent.get(address) ?? { timeouts: 0, until: -Infinity };
      if (from >= before.until) silent.set(address, { timeouts: before.timeouts + 1, until: to });
    },
    noteAnswer(address) {
      heard.add(address);
      silent.delete(address);
    },
  };
}
