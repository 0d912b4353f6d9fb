import type { Clock } from '../lib/clock.ts';

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

/** Brings a process back to Redis in the background, whether or not anybody asks meanwhile. */
export interface RedisReconnect {
  /** Begins, unless it is under way. */
  start(): void;
  stop(): void;
}

const pauseMs = 200;

/** `attempt` resolves to whether all is well; it is repeated every 200 ms until it is, and may not reject. */
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
