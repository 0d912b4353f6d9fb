import type { Clock } from '../lib/clock.ts';

/** A circuit breaker: keeps requests from waiting for a Redis that does not reply. */
export interface Breaker {
  /** true while Redis must not be waited for */
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

/** Tries Redis again in the background, whether or not there are requests meanwhile. */
export interface RedisReconnect {
  /** Starts trying, unless it is under way. */
  start(): void;
  stop(): void;
}

const pauseMs = 200;

/** Calls `attempt` every 200 ms until it resolves to true. It must not reject. */
export function createRedisReconnect(clock: Clock, attempt: () => Promise<boolean>): RedisReconnect {
  const stopped = new AbortController();
  let isWanted = false;
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    try {
      while (isWanted) {
        await clock.sleep(pauseMs, stopped.signal);
        isWanted = false;
        if (!(await attempt())) isWanted = true;
      }
    } finally {
      isRunning = false;
    }
  };
  return {
    start() {
      isWanted = true;
      if (isRunning || stopped.signal.aborted) return;
      run().catch(() => undefined); // stopped
    },
    stop: () => stopped.abort(),
  };
}
