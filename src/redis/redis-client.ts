import type { RedisOptions } from 'ioredis';
import { Redis } from 'ioredis';
import type { Log } from '../lib/log.ts';
import type { RedisPlace } from './redis-credentials.ts';
import { login } from './redis-credentials.ts';

const reconnectWithinMs = 250;
const connectWithinMs = 500;

/**
 * A connection that is made again for ever, to whatever is the primary then. Nothing is queued and nothing is sent twice:
 * a command without a connection is refused at once, and one whose connection breaks is lost. Trouble is told once, and
 * its end.
 */
export function connectRedis(place: RedisPlace, log: Log): Redis {
  let troubled = false;
  const tell = (error: Error) => {
    if (!troubled) log.warn({ err: error }, 'Redis cannot be reached; each process counts on its own');
    troubled = true;
  };
  const current = () => {
    try {
      return login(place);
    } catch (error) {
      tell(error as Error);
      return {};
    }
  };
  const again = () => {
    // ioredis reads its options anew for each connection.
    Object.assign(redis.options, current());
    return reconnectWithinMs * (0.5 + Math.random() / 2);
  };
  const redis = new Redis(withoutLogin(place.url), {
    ...sentinelsOf(place),
    ...current(),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: false,
    enableReadyCheck: hasSentinels(place),
    connectTimeout: connectWithinMs,
    socketTimeout: 1_500,
    retryStrategy: again,
    reconnectOnError: ({ message }) => (leadsElsewhere.test(message) ? 1 : false),
  });
  redis.on('error', tell);
  redis.on('ready', () => {
    void primaryOrAgain(redis);
    if (troubled) log.info({}, 'Redis is back');
    troubled = false;
  });
  return redis;
}

function withoutLogin(url: string): string {
  const place = new URL(url);
  place.username = '';
  place.password = '';
  return place.href;
}

/** What another connection mends: a primary that became a replica, a login that is none any more. */
const leadsElsewhere = /^(READONLY|NOAUTH|WRONGPASS|MASTERDOWN)\b|READONLY You can't write/;

/** A replica answers and cannot count: look again where the primary is. An ACL may not allow to ask. */
async function primaryOrAgain(redis: Redis): Promise<void> {
  try {
    const [role] = (await redis.role()) as readonly unknown[];
    if (role === 'slave') redis.disconnect(true);
  } catch {
    // The connection ended, or the user may not ask: the first write will tell.
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
