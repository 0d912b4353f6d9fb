import type { IncomingHttpHeaders } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLimiter } from '../../src/quota/limiter.ts';
import { createRedisScriptClient } from '../../src/quota/redis-script-client.ts';
import { connectRedis } from '../../src/lib/redis/redis-client.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { AuthorizedApi } from '../../src/server/authorize.ts';
import { createAuthorize } from '../../src/server/authorize.ts';
import { clientAddress } from '../../src/server/client-address.ts';
import { createInMemoryApi } from './in-memory-api.ts';
import { startRedis } from './redis.ts';
import { unobserved } from './unobserved-app.ts';

/** The authorize endpoint on loopback, deciding in a real Redis; accounts and keys are in memory. */
export interface AuthorizeServer {
  /** `host:port` */
  readonly at: string;
  /** Makes an account with so many requests a minute, and returns a key of all scopes. */
  account(name: string, perMinute: number): string;
  /** another key of the account */
  key(account: string): string;
  /** Connections are refused until `restart`. */
  stopListening(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Whose X-Forwarded-For counts: proxies on loopback connect from there. Clients of the tests come from other addresses. */
const proxies = ['127.0.0.1/32'];

export async function startAuthorizeServer(apis: Readonly<Record<string, AuthorizedApi>>): Promise<AuthorizeServer> {
  const memory = createInMemoryApi();
  const redis = await startRedis();
  const limiter = createLimiter({
    client: createRedisScriptClient(connectRedis({ url: redis.url, passwordFile: null, caFile: null }, silentLog)),
    replicas: () => 1,
    clock: systemClock,
    observe: () => undefined,
  });
  const handler = createAuthorize({
    ...unobserved({ ...memory.dependencies, limiter }),
    address: clientAddress(proxies, 'X-Forwarded-For'),
    apis,
    served: () => undefined,
  });
  const listening = async (port: number) => {
    const server = createServer({ keepAliveTimeout: 75_000 }, handler);
    await new Promise<void>((done) => server.listen({ port, host: '127.0.0.1', backlog: 1_024 }, done));
    return server;
  };
  let server = await listening(0);
  const { port } = server.address() as AddressInfo;
  const stopListening = async () => {
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
  };
  return {
    at: `127.0.0.1:${port}`,
    account(name, requestsPerMinute) {
      const key = memory.account(name, 'enterprise');
      const [apiVersion, kind] = ['projectdomain.io/v1alpha1', 'Account'];
      const spec = { plan: 'enterprise', id: `id-of-${name}`, overrides: { rateLimit: { requestsPerMinute } } };
      memory.put({ apiVersion, kind, metadata: { name }, spec });
      return key;
    },
    key: (account) => memory.key(account, ['domains:read']),
    stopListening,
    async restart() {
      server = await listening(port);
    },
    async stop() {
      memory.stop();
      await stopListening();
      await limiter.close();
      await redis.stop();
    },
  };
}

/** What an API behind a proxy was asked. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** An API of the platform's behind the proxies: it answers 200, or what a request's `x-answer` says. */
export async function startApiBehind(): Promise<{
  readonly at: string;
  readonly arrived: Arrived[];
  stop(): Promise<void>;
}> {
  const arrived: Arrived[] = [];
  const server = createServer({ maxHeaderSize: 65_536 }, ({ method = '', url = '', headers }, response) => {
    arrived.push({ method, path: url, headers });
    response.statusCode = Number(headers['x-answer'] ?? 200);
    response.end('the API');
  });
  await new Promise<void>((done) => server.listen({ port: 0, host: '127.0.0.1' }, done));
  return {
    at: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** an address of 127.0.0.0/8 that the client comes from */
  readonly from?: string;
}

/** Sends one request on a connection of its own. */
export const send = (
  port: number,
  { method = 'GET', path = '/', headers = {}, body = '', from = '127.0.0.9' }: Sent,
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, localAddress: from, agent: false });
    sent.setTimeout(10_000, () => sent.destroy(new Error('no answer')));
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, headers: received } = response;
        resolve({ status: statusCode, headers: received, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.end(body);
  });
