/** Keeps requests from waiting for a Redis that does not answer. */
export interface Breaker {
  /** May this request ask Redis? Once it may not, one in a while still does, to see. */
  permits(): boolean;
  succeeded(): void;
  failed(): void;
}

const failuresToOpen = 3;
const probeEveryMs = 200;

/** `elapsed` gives milliseconds that are never set back. */
export function createBreaker(elapsed: () => number): Breaker {
  let failures = 0;
  let nextProbe = 0;
  return {
    permits() {
      if (failures < failuresToOpen) return true;
      if (elapsed() < nextProbe) return false;
      nextProbe = elapsed() + probeEveryMs;
      return true;
    },
    succeeded() {
      failures = 0;
    },
    failed() {
      failures += 1;
      if (failures === failuresToOpen) nextProbe = elapsed() + probeEveryMs;
    },
  };
}
