import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { SessionsUnavailable } from './sessions-port.ts';
import { messageOf } from '../../lib/error-serializer.ts';

const deadlineMs = 500;
/** Long enough for a failover, so that requests wait for it instead of failing. */
const patienceMs = 2_500;
const pauseMs = 50;

/**
 * Runs an idempotent Redis command. A frozen Redis neither responds nor closes the connection, so each attempt has a
 * deadline. Attempts are repeated until Redis has been unavailable for 2.5 s; then it rejects with SessionsUnavailable.
 */
export function createRedisRetry(redis: Redis): <T>(command: () => Promise<T>) => Promise<T> {
  let awaySince: number | null = null;
  return async (command) => {
    for (;;) {
      try {
        const reply = await once(redis, command);
        awaySince = null;
        return reply;
      } catch (error) {
        const now = performance.now();
        awaySince ??= now;
        if (now - awaySince > patienceMs) throw error;
      }
      await sleep(pauseMs);
    }
  };
}

async function once<T>(redis: Redis, command: () => Promise<T>): Promise<T> {
  if (redis.status !== 'ready') throw new SessionsUnavailable('there is no connection to Redis');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SessionsUnavailable('Redis does not respond')), deadlineMs);
  });
  try {
    return await Promise.race([command(), late]);
  } catch (error) {
    if (error instanceof SessionsUnavailable) throw error;
    throw new SessionsUnavailable(messageOf(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
