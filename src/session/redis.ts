import { createHash, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Session, Sessions } from './port.ts';
import { SessionsUnavailable, sessionSeconds } from './port.ts';

const deadlineMs = 500;
const secretBytes = 32;
const secretForm = /^[A-Za-z0-9_-]{43}$/;

/** Only the hash of a secret is kept: who reads Redis is not signed in by it. */
const keyOf = (secret: string): string => `pd:session:${createHash('sha256').update(secret).digest('hex')}`;

/** Sessions in Redis, which forgets them by itself. */
export function createSessions(redis: Redis): Sessions {
  return {
    async open(session) {
      const secret = randomBytes(secretBytes).toString('base64url');
      await within(redis, () => redis.set(keyOf(secret), JSON.stringify(session), 'EX', sessionSeconds));
      return secret;
    },
    async find(secret) {
      if (!secretForm.test(secret)) return null;
      const kept = await within(redis, () => redis.get(keyOf(secret)));
      return kept === null ? null : (JSON.parse(kept) as Session);
    },
    async end(secret) {
      if (secretForm.test(secret)) await within(redis, () => redis.del(keyOf(secret)));
    },
  };
}

/** A frozen Redis never answers and never ends the connection: it is waited for so long and no longer. */
async function within<T>(redis: Redis, call: () => Promise<T>): Promise<T> {
  if (redis.status !== 'ready') throw new SessionsUnavailable('there is no connection to Redis');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SessionsUnavailable('Redis does not answer')), deadlineMs);
  });
  try {
    return await Promise.race([call(), late]);
  } catch (error) {
    if (error instanceof SessionsUnavailable) throw error;
    throw new SessionsUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
