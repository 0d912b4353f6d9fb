import type { Cluster, Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../error-serializer.ts';

const deadlineMs = 500;
/** Long enough for a failover, so that requests wait for it instead of failing. */
const patienceMs = 2_500;
const pauseMs = 50;

/** The error that a store rejects with while Redis cannot be asked. */
type Unavailable = new (message: string, options?: ErrorOptions) => Error;

/**
 * Runs an idempotent Redis command. A frozen Redis neither responds nor closes the connection, so each attempt has a
 * deadline. Attempts are repeated until Redis has been unavailable for 2.5 s; then it rejects with the given error.
 */
export function createRedisRetry(
  redis: Redis | Cluster,
  Unavailable: Unavailable,
): <T>(command: () => Promise<T>) => Promise<T> {
  let awaySince: number | null = null;
  return async (command) => {
    for (;;) {
      try {
        const reply = await once(redis, command, Unavailable);
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

async function once<T>(redis: Redis | Cluster, command: () => Promise<T>, Unavailable: Unavailable): Promise<T> {
  if (redis.status !== 'ready') throw new Unavailable('there is no connection to Redis');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable('Redis does not respond')), deadlineMs);
  });
  try {
    return await Promise.race([command(), late]);
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw new Unavailable(messageOf(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
