import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import type { Log } from '../runtime/log.ts';
import type { Call, Reply } from './script.ts';
import { keyCount, readReply, script, scriptArguments, scriptKeys } from './script.ts';

/** Sends one decision to Redis. Rejects at once where there is no connection; may take for ever where Redis is frozen. */
export interface Sender {
  /** a connection is there; what is sent without one was never sent */
  ready(): boolean;
  send(call: Call): Promise<Reply>;
  close(): Promise<void>;
}

interface WithDecide {
  decideBuffer(...args: (string | number | Buffer)[]): Promise<unknown>;
}

const reconnectWithinMs = 250;

/** Where Redis is: rediss:// for TLS, the ACL user in the URL; password and CA (PEM) in files. */
export interface RedisPlace {
  readonly url: string;
  readonly passwordFile: string | null;
  readonly caFile: string | null;
}

/** ioredis takes what the URL says of a user whole, an absent password for an empty one: so the password goes into it. */
function urlOf({ url, passwordFile }: RedisPlace): string {
  if (passwordFile === null) return url;
  const whole = new URL(url);
  whole.password = encodeURIComponent(readFileSync(passwordFile, 'utf8').trim());
  return whole.href;
}

/**
 * The seam for sending several decisions at once. Nothing is queued and nothing is sent twice: what could not be decided
 * in Redis was decided without it by the time a connection is back.
 */
export function createSender(place: RedisPlace, log: Log): Sender {
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
  redis.defineCommand('decide', { numberOfKeys: keyCount, lua: script });
  let troubled = false;
  redis.on('error', (error: Error) => {
    if (!troubled) log.warn({ error: error.message }, 'Redis cannot be reached; each process counts by itself');
    troubled = true;
  });
  redis.on('ready', () => {
    if (troubled) log.info({}, 'Redis is back');
    troubled = false;
  });
  const commands = redis as unknown as WithDecide;
  return {
    ready: () => redis.status === 'ready',
    async send(call) {
      const raw = await commands.decideBuffer(...scriptKeys(call), ...scriptArguments(call));
      return readReply(raw, call.ask);
    },
    close: () => {
      redis.disconnect();
      return Promise.resolve();
    },
  };
}
