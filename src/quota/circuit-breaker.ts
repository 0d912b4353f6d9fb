/** Keeps requests from waiting for a Redis that does not answer. */
export interface Breaker {
  /** Redis is not to be waited for */
  isOpen(): boolean;
  succeeded(): void;
  failed(): void;
}

const failuresToOpen = 3;

/** Opens after three failures in a row, closes with the next success. */
export function createBreaker(): Breaker {
  let failures = 0;
  return {
    isOpen: () => failures >= failuresToOpen,
    succeeded() {
      failures = 0;
    },
    failed() {
      failures += 1;
    },
  };
}
