import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { RedisConnection } from '../../src/lib/redis/redis-client.ts';
import { connectRedis } from '../../src/lib/redis/redis-client.ts';
import { createApp } from '../../src/server/http-app.ts';
import { createAnswerOnce } from '../../src/server/idempotency/answer-once.ts';
import { leaseSeconds } from '../../src/server/idempotency/kept-answers-port.ts';
import { createKeptAnswers } from '../../src/server/idempotency/redis-kept-answers.ts';
import type { InMemoryApi } from './in-memory-api.ts';
import { unobserved } from './unobserved-app.ts';

/** An answer as its client sees it. */
export interface KeyedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface KeyedCall {
  /** POST without it */
  readonly method?: string;
  readonly body?: unknown;
  /** of the header Idempotency-Key; without it there is none */
  readonly key?: string;
  /** of the header If-Match */
  readonly ifMatch?: string;
}

/** Calls with an API key, and an idempotency key. Rejects when there is no answer. */
export type Keyed = (path: string, call?: KeyedCall) => Promise<KeyedAnswer>;

/** One API server behind a socket: its own code, a real Redis, and a cluster in memory that it may share with others. */
export interface KeyedServer {
  readonly redis: RedisConnection;
  /** how many records were found that this installation did not write */
  forged(): number;
  /** `gone` aborts when the client disconnects */
  by(apiKey: string, gone?: AbortSignal): Keyed;
  /** Resolves once it is connected to Redis. */
  connected(): Promise<void>;
  /** It ends as a process does: whoever waits is cut off, and nothing more gets to Redis. */
  stop(): Promise<void>;
}

export async function startKeyedServer(memory: InMemoryApi, redisUrl: string): Promise<KeyedServer> {
  const redis = connectRedis({ url: redisUrl, passwordFile: null, caFile: null }, silentLog);
  let forged = 0;
  const answerOnce = createAnswerOnce({
    answers: createKeptAnswers(redis),
    secret: Buffer.alloc(32, 7),
    forged: () => void (forged += 1),
  });
  const pages = () => (_request: unknown, _response: unknown, next: () => void) => next();
  const app = createApp({ ...unobserved(memory.dependencies), answerOnce, pages });
  const server = createServer({ keepAliveTimeout: 75_000 }, app);
  server.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 });
  await once(server, 'listening');
  const connected = () =>
    eventually('Redis answers', 10_000, async () => {
      expectThat((await redis.ping()) === 'PONG', 'it does not');
    });
  await connected();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    redis,
    connected,
    forged: () => forged,
    by: (apiKey, gone) => clientOf(url, apiKey, gone),
    async stop() {
      redis.disconnect();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const clientOf =
  (url: string, apiKey: string, gone?: AbortSignal): Keyed =>
  async (path, { method = 'POST', body, key, ifMatch } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(gone ? { signal: gone } : {}),
    });
    const text = await response.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: response.status, headers: response.headers, text, body: parsed };
  };

/** The Redis hash with the records of an account. */
export const recordsOf = (account: string, idempotency: 'by-name' | 'by-record'): string =>
  `pd:answers:{id-of-${account}}:${idempotency}`;

/** Ends all leases of an account: its records are as old as if that time had passed. */
export async function endLeases(redis: RedisConnection, account: string): Promise<void> {
  for (const idempotency of ['by-name', 'by-record'] as const) {
    const records = recordsOf(account, idempotency);
    for (const [place, record] of Object.entries(await redis.hgetallBuffer(records))) {
      if (place === 'bytes') continue;
      for (const at of [16, 24]) record.writeDoubleLE(record.readDoubleLE(at) - leaseSeconds * 1_000, at);
      await redis.hset(records, place, record);
    }
  }
}
