import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';

/** Where Redis is: rediss:// for TLS, the ACL user in the URL; password and CA (PEM) in files. */
export interface RedisPlace {
  readonly url: string;
  readonly passwordFile: string | null;
  readonly caFile: string | null;
}

const reconnectWithinMs = 250;

/**
 * A connection that is made again for ever. Nothing is queued and nothing is sent twice: a command without a connection
 * is refused at once, and one whose connection breaks is lost.
 */
export function connectRedis(place: RedisPlace): Redis {
  return new Redis(urlOf(place), {
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
}

/** ioredis takes what the URL says of a user whole, an absent password for an empty one: so the password goes into it. */
function urlOf({ url, passwordFile }: RedisPlace): string {
  if (passwordFile === null) return url;
  const whole = new URL(url);
  whole.password = encodeURIComponent(readFileSync(passwordFile, 'utf8').trim());
  return whole.href;
}
