import type { RedisOptions } from 'ioredis';
import { Cluster, Redis } from 'ioredis';
import type { Log } from '../lib/log.ts';
import type { RedisPlace } from './redis-credentials.ts';
import { endpointOf, login } from './redis-credentials.ts';

const reconnectWithinMs = 250;
const connectWithinMs = 500;

/** A connection to one Redis, or those to the nodes of a Redis Cluster. */
export type RedisConnection = Redis | Cluster;

/** What is the same for one Redis and for each node of a cluster. */
const unqueued = {
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  enableAutoPipelining: false,
  connectTimeout: connectWithinMs,
  socketTimeout: 1_500,
} as const satisfies RedisOptions;

/**
 * A connection that reconnects for ever, to whichever server is the primary by then. Nothing is queued or sent twice: a
 * command without a connection fails at once, and one whose connection breaks is lost. Logs the beginning and the end
 * of an outage, once each.
 */
export function connectRedis(place: RedisPlace, log: Log): RedisConnection {
  let isDown = false;
  const logOutage = (error: Error) => {
    if (!isDown) log.warn({ err: error }, 'Redis cannot be reached; each process counts on its own');
    isDown = true;
  };
  const logEnd = () => {
    if (isDown) log.info({}, 'Redis can be reached again');
    isDown = false;
  };
  const currentLogin = () => {
    try {
      return login(place);
    } catch (error) {
      logOutage(error as Error);
      return {};
    }
  };
  const pause = () => reconnectWithinMs * (0.5 + Math.random() / 2);
  if (place.cluster !== undefined && place.cluster.length > 0) {
    const cluster = connectCluster(place.cluster, currentLogin, pause);
    cluster.on('error', logOutage);
    cluster.on('ready', logEnd);
    return cluster;
  }
  const prepareRetry = () => {
    // ioredis reads its options again for each connection.
    Object.assign(redis.options, currentLogin());
    return pause();
  };
  const redis = new Redis(withoutLogin(place.url), {
    ...sentinelsOf(place),
    ...currentLogin(),
    ...unqueued,
    enableOfflineQueue: false,
    enableReadyCheck: hasSentinels(place),
    retryStrategy: prepareRetry,
    reconnectOnError: ({ message }) => (needsReconnect.test(message) ? 1 : false),
  });
  redis.on('error', logOutage);
  redis.on('ready', () => {
    void reconnectIfReplica(redis);
    logEnd();
  });
  return redis;
}

const redirectedAtMost = 4;
const redirectPauseMs = 50;

/**
 * The nodes of a cluster that knows who is the primary of which slots. A command that a node redirects was not executed
 * there, so it follows at once; one whose connection ends may be sent again, which batches of decisions and records of sessions bear.
 */
function connectCluster(nodes: readonly string[], currentLogin: () => ReturnType<typeof login>, pause: () => number) {
  const cluster = new Cluster(nodes.map(endpointOf), {
    // A node that loads its data refuses at once; otherwise commands wait until it has.
    redisOptions: { ...unqueued, ...currentLogin(), enableReadyCheck: false },
    enableOfflineQueue: false,
    enableAutoPipelining: false,
    maxRedirections: redirectedAtMost,
    retryDelayOnFailover: redirectPauseMs,
    retryDelayOnClusterDown: redirectPauseMs,
    retryDelayOnTryAgain: redirectPauseMs,
    retryDelayOnMoved: 0,
    slotsRefreshTimeout: connectWithinMs,
    slotsRefreshInterval: 2_000,
    clusterRetryStrategy: pause,
  });
  // Each node has options of its own, which are read for each connection, the first one included.
  const readLoginAgain = (node: Redis) => void Object.assign(node.options, currentLogin());
  cluster.on('+node', readLoginAgain);
  cluster.on('node error', () => cluster.nodes('all').forEach(readLoginAgain));
  return cluster;
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
    sentinels: sentinels.map(endpointOf),
    name: name ?? '',
    role: 'master',
    sentinelCommandTimeout: connectWithinMs,
    sentinelRetryStrategy: () => reconnectWithinMs,
    enableTLSForSentinelMode: isTls,
  };
}
