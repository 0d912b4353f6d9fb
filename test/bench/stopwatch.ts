/** What a figure of a bench is measured by. No test has a bound on it. */
export interface Stopwatch {
  /** milliseconds since it was started */
  ms(): number;
  /** milliseconds of the processor that this thread has had since */
  cpuMs(): number;
}

export function startStopwatch(): Stopwatch {
  const [startedAt, before] = [performance.now(), process.threadCpuUsage()];
  return {
    ms: () => performance.now() - startedAt,
    cpuMs() {
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    },
  };
}
