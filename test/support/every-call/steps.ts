import { Session } from 'node:inspector';

/**
 * Counts what code does and not how long it takes: how often V8 entered each of its blocks (functions, branches, rounds of loops), which is the same
 * on every machine. What engines do inside one step, such as a regular expression or a signature, is not seen; the benchmark of holds has that.
 */
export interface StepCounter {
  /** Blocks entered in the files that count, while `act` went on. */
  during(act: () => Promise<unknown>): Promise<number>;
  stop(): void;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** Our own code and the libraries that it calls; neither Node.js itself, which the client of a test is part of, nor the tests. */
const isCounted = (url: string): boolean => /\/(?:src|node_modules)\/[^?]+$/.test(url);

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

export function createStepCounter(): StepCounter {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  /** Since the last time that it was asked. */
  function taken(): number {
    let coverage: Coverage = { result: [] };
    session.post('Profiler.takePreciseCoverage', (_, found) => (coverage = found as Coverage));
    const counted = coverage.result.filter(({ url }) => isCounted(url)).flatMap(({ functions }) => functions);
    return total(counted.flatMap(({ ranges }) => ranges.map(({ count }) => count)));
  }
  return {
    async during(act) {
      taken();
      await act();
      return taken();
    },
    stop: () => session.disconnect(),
  };
}
