import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import type { Log } from '../runtime/log.ts';

/** Where Redis is: rediss:// for TLS, the ACL user in the URL; password and CA (PEM) in files. */
export interface RedisPlace {
  readonly url: string;
  readonly passwordFile: string | null;
  readonly caFile: string | null;
}

const reconnectWithinMs = 250;

/**
 * A connection that is made again for ever. Nothing is queued and nothing is sent twice: a command without a connection
 * is refused at once, and one whose connection breaks is lost. Trouble is told once, and its end.
 */
export function connectRedis(place: RedisPlace, log: Log): Redis {
  const redis = new Redis(urlOf(place), {
    ...(place.caFile === null ? {} : { tls: { ca: readFileSync(place.caFile) } }),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: false,
    enableReadyCheck: false,
    connectTimeout: 500,
    socketTimeout: 2_000,
    retryStrategy: () => reconnectWithinMs * (0.5 + Math.random() / 2),
  });
  let troubled = false;
  redis.on('error', (error: Error) => {
    if (!troubled) log.warn({ error: error.message }, 'Redis cannot be reached; each process counts by itself');
    troubled = true;
  });
  redis.on('ready', () => {
    if (troubled) log.info({}, 'Redis is back');
    troubled = false;
  });
  return redis;
}

/** ioredis takes what the URL says of a user whole, an absent password for an empty one: so the password goes into it. */
function urlOf({ url, passwordFile }: RedisPlace): string {
  if (passwordFile === null) return url;
  const whole = new URL(url);
  whole.password = encodeURIComponent(readFileSync(passwordFile, 'utf8').trim());
  return whole.href;
}
