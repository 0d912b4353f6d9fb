import type { RedisOptions } from 'ioredis';
import { Redis } from 'ioredis';
import type { Log } from '../lib/log.ts';
import type { RedisPlace } from './redis-credentials.ts';
import { login } from './redis-credentials.ts';

const reconnectWithinMs = 250;
const connectWithinMs = 500;

/**
 * A connection that reconnects for ever, to whichever server is the primary by then. Nothing is queued or sent twice: a
 * command without a connection fails at once, and one whose connection breaks is lost. Logs the beginning and the end
 * of an outage, once each.
 */
export function connectRedis(place: RedisPlace, log: Log): Redis {
  let isDown = false;
  const logOutage = (error: Error) => {
    if (!isDown) log.warn({ err: error }, 'Redis cannot be reached; each process counts on its own');
    isDown = true;
  };
  const currentLogin = () => {
    try {
      return login(place);
    } catch (error) {
      logOutage(error as Error);
      return {};
    }
  };
  const prepareRetry = () => {
    // ioredis reads its options again for each connection.
    Object.assign(redis.options, currentLogin());
    return reconnectWithinMs * (0.5 + Math.random() / 2);
  };
  const redis = new Redis(withoutLogin(place.url), {
    ...sentinelsOf(place),
    ...currentLogin(),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: false,
    enableReadyCheck: hasSentinels(place),
    connectTimeout: connectWithinMs,
    socketTimeout: 1_500,
    retryStrategy: prepareRetry,
    reconnectOnError: ({ message }) => (needsReconnect.test(message) ? 1 : false),
  });
  redis.on('error', logOutage);
  redis.on('ready', () => {
    void reconnectIfReplica(redis);
    if (isDown) log.info({}, 'Redis can be reached again');
    isDown = false;
  });
  return redis;
}

function withoutLogin(url: string): string {
  const place = new URL(url);
  place.username = '';
  place.password = '';
  return place.href;
}

/** Errors that a new connection can fix: the primary became a replica, or the login is no longer valid. */
const needsReconnect = /^(READONLY|NOAUTH|WRONGPASS|MASTERDOWN)\b|READONLY You can't write/;

/** A replica answers but cannot be written to: reconnects to find the primary. An ACL may not allow ROLE. */
async function reconnectIfReplica(redis: Redis): Promise<void> {
  try {
    const [role] = (await redis.role()) as readonly unknown[];
    if (role === 'slave') redis.disconnect(true);
  } catch {
    // The connection ended, or the user may not run ROLE: on a replica, the first write fails and reconnects.
  }
}

const hasSentinels = ({ sentinels = [] }: RedisPlace): boolean => sentinels.length > 0;

type Sentinels = Pick<
  RedisOptions,
  'sentinels' | 'name' | 'role' | 'sentinelCommandTimeout' | 'sentinelRetryStrategy' | 'enableTLSForSentinelMode'
>;

function sentinelsOf(place: RedisPlace): Sentinels {
  const { url, sentinels = [], name } = place;
  if (!hasSentinels(place)) return {};
  const isTls = new URL(url).protocol === 'rediss:';
  return {
    sentinels: sentinels.map((sentinel) => {
      const at = sentinel.lastIndexOf(':');
      return { host: sentinel.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(sentinel.slice(at + 1)) };
    }),
    name: name ?? '',
    role: 'master',
    sentinelCommandTimeout: connectWithinMs,
    sentinelRetryStrategy: () => reconnectWithinMs,
    enableTLSForSentinelMode: isTls,
  };
}
