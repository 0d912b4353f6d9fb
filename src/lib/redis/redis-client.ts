import { readFileSync } from 'node:fs';
import { withJitter } from '../backoff.ts';
import type { Log } from '../log.ts';
import type { RedisOptions } from 'ioredis';
import { Cluster, Redis } from 'ioredis';

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
  const pause = () => withJitter(reconnectWithinMs);
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

/**
 * Where Redis is: rediss:// for TLS, the ACL user in the URL; passwords and CA (PEM) in files, which are read again for
 * each connection, so that a change takes effect with the next one.
 */
export interface RedisPlace {
  readonly url: string;
  readonly passwordFile: string | null;
  readonly caFile: string | null;
  /** `host:port` of each Sentinel; they know where the primary is, so the URL's host and port are not used */
  readonly sentinels?: readonly string[];
  /** the primary's name in the Sentinels' configuration */
  readonly name?: string | null;
  readonly sentinelPasswordFile?: string | null;
  /** `host:port` of some nodes of a Redis Cluster, which know the others; the URL's host and port are not used */
  readonly cluster?: readonly string[];
}

type Login = Pick<RedisOptions, 'password' | 'username' | 'tls' | 'sentinelTLS' | 'sentinelPassword'>;

/** The credentials as they are at this moment. Throws when a file cannot be read. */
function login({ url, passwordFile, caFile, sentinels = [], sentinelPasswordFile = null }: RedisPlace): Login {
  const { protocol, username, password } = new URL(url);
  const tls = protocol === 'rediss:' ? { ...(caFile === null ? {} : { ca: readFileSync(caFile) }) } : null;
  return {
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(passwordFile === null ? {} : { password: secretIn(passwordFile) }),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(tls === null ? {} : { tls }),
    ...(tls !== null && sentinels.length > 0 ? { sentinelTLS: tls } : {}),
    ...(sentinelPasswordFile === null ? {} : { sentinelPassword: secretIn(sentinelPasswordFile) }),
  };
}

const secretIn = (file: string): string => readFileSync(file, 'utf8').trim();

/** The host and the port of `host:port` or `[host]:port`. */
function endpointOf(text: string): { readonly host: string; readonly port: number } {
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) };
}
