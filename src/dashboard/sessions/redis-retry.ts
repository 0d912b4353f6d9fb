import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { SessionsUnavailable } from './sessions-port.ts';

const deadlineMs = 500;
/** A failover is over by then: whoever asks meanwhile waits instead of being turned away. */
const patienceMs = 2_500;
const pauseMs = 50;

/**
 * Asks Redis something that may be asked twice. A frozen Redis never answers and never ends the connection, so each
 * question has a deadline. It is repeated as long as Redis has not been away for more than 2.5 s; then it rejects with
 * SessionsUnavailable.
 */
export function createRedisRetry(redis: Redis): <T>(question: () => Promise<T>) => Promise<T> {
  let awaySince: number | null = null;
  return async (question) => {
    for (;;) {
      try {
        const answer = await once(redis, question);
        awaySince = null;
        return answer;
      } catch (error) {
        const now = performance.now();
        awaySince ??= now;
        if (now - awaySince > patienceMs) throw error;
      }
      await sleep(pauseMs);
    }
  };
}

async function once<T>(redis: Redis, question: () => Promise<T>): Promise<T> {
  if (redis.status !== 'ready') throw new SessionsUnavailable('there is no connection to Redis');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SessionsUnavailable('Redis does not answer')), deadlineMs);
  });
  try {
    return await Promise.race([question(), late]);
  } catch (error) {
    if (error instanceof SessionsUnavailable) throw error;
    throw new SessionsUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
