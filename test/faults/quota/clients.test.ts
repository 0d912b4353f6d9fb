import { spawn } from 'node:child_process';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findGo } from '../../../dev/platform/go.ts';
import { createLimiter } from '../../../src/quota/limiter.ts';
import type { Decision } from '../../../src/quota/quota-port.ts';
import { createRedisScriptClient } from '../../../src/quota/redis-script-client.ts';
import { connectRedis } from '../../../src/lib/redis/redis-client.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { keyIdOf } from '../../../src/rules/api-key-format.ts';
import { createApp } from '../../../src/server/http-app.ts';
import { fromNow } from '../../support/from-now.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import type { TestRedis } from '../../support/redis.ts';
import { startRedis } from '../../support/redis.ts';
import { unobserved } from '../../support/unobserved-app.ts';

/** What docs/clients gives to integrations waits as the documentation says, in every language. */

const folder = join(import.meta.dirname, '../../../docs/clients');
const tell = (line: string) => void process.stderr.write(`${line}\n`);
const perMinute = 5;
const requests = 7;
/** A client that hangs is ended. It waits for a minute until there is room again, and jitter adds to that; Go compiles first. */
const deadlineMs = 300_000;

type Command = () => Promise<readonly string[]>;
const clients: readonly (readonly [string, Command])[] = [
  ['curl', () => Promise.resolve(['sh', join(folder, 'retry.sh')])],
  [
    'TypeScript',
    () => Promise.resolve([process.execPath, '--disable-warning=ExperimentalWarning', join(folder, 'retry.ts')]),
  ],
  ['Python', () => Promise.resolve(['python3', join(folder, 'retry.py')])],
  ['Go', async () => [(await findGo(tell)).program, 'run', join(folder, 'retry.go')]],
];

let redis: TestRedis;
let memory: InMemoryApi;
let servers: Server[] = [];
let api: string;
let closeLimiter: () => Promise<void>;
/** what was decided on the requests of which key */
const decisions: { readonly keyId: string | undefined; readonly decision: Decision }[] = [];

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((done) => server.listen({ port: 0, host: '127.0.0.1' }, done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  redis = await startRedis();
  memory = createInMemoryApi();
  const limiter = createLimiter({
    client: createRedisScriptClient(connectRedis({ url: redis.url, passwordFile: null, caFile: null }, silentLog)),
    replicas: () => 1,
    clock: systemClock,
    observe: () => undefined,
  });
  closeLimiter = () => limiter.close();
  const app = createApp({
    ...unobserved({ ...memory.dependencies, limiter }),
    decided: (decision, caller) => void decisions.push({ keyId: caller?.apiKey.spec.keyId, decision }),
    pages: () => (_request, _response, next) => next(),
  });
  api = await serve(app);
});

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
  await closeLimiter();
  await redis.stop();
});

function limitedKey(account: string): string {
  const key = memory.account(account, 'enterprise');
  const [apiVersion, kind] = ['projectdomain.io/v1alpha1', 'Account'];
  const overrides = { rateLimit: { requestsPerMinute: perMinute } };
  memory.put({
    apiVersion,
    kind,
    metadata: { name: account },
    spec: { plan: 'enterprise', id: `id-of-${account}`, overrides },
  });
  return key;
}

/** What the client prints: a status for each of its requests. */
async function run(command: Command, args: readonly string[], key: string): Promise<readonly string[]> {
  const [program = '', ...before] = await command();
  const env = { ...process.env, API_KEY: key };
  const child = spawn(program, [...before, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: deadlineMs,
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  await new Promise((done) => child.on('close', done));
  return out.trim().split('\n');
}

/** Side by side, as each waits for most of a minute. */
const ofEach = async <T>(act: (name: string, command: Command) => Promise<T>): Promise<ReadonlyMap<string, T>> =>
  new Map(await Promise.all(clients.map(async ([name, command]) => [name, await act(name, command)] as const)));

const names = clients.map(([name]) => name);

describe('a client against a limited key', () => {
  let ran: ReadonlyMap<string, { readonly key: string; readonly printed: readonly string[] }>;

  beforeAll(async () => {
    ran = await ofEach(async (name, command) => {
      const key = limitedKey(`limited-${name.toLowerCase()}`);
      return { key, printed: await run(command, [`${api}/v1/account`, String(requests)], key) };
    });
  }, deadlineMs);

  // Would fail if one of them came back before it was told to, came back more than it has to, or never did.
  it.each(names)('in %s sends everything, and nothing before Retry-After has passed', (name) => {
    const { key, printed } = ran.get(name) ?? { key: '', printed: [] };
    expect(printed).toEqual(Array.from({ length: requests }, () => '200'));
    const own = decisions.flatMap(({ keyId, decision }) => (keyId === keyIdOf(key) ? [decision] : []));
    const refused = own.flatMap((one, at) => (one.kind === 'limited' ? [{ one, next: own[at + 1] }] : []));
    expect(refused.length).toBeGreaterThanOrEqual(1);
    expect(refused.length).toBeLessThanOrEqual(2);
    // By the clock of the server that said how long: its own estimate between two answers of Redis may be off by milliseconds.
    const tooSoon = refused.filter(({ one, next }) => !next || next.now - one.now < (one.retryAfter ?? 0) * 1_000 - 5);
    expect(tooSoon).toEqual([]);
    expect(own).toHaveLength(requests + refused.length);
  });
});

describe('a client of a server that fails', () => {
  it(
    'tries again after a broken connection, and after a 503 that says when as a date',
    async () => {
      const seen = await ofEach(async (_, command) => {
        let calls = 0;
        const failing = await serve((request, response) => {
          calls += 1;
          if (calls === 1) request.socket.destroy();
          else {
            response.statusCode = calls === 2 ? 503 : 200;
            response.setHeader('retry-after', new Date(fromNow(0)).toUTCString());
            response.end();
          }
        });
        return { printed: await run(command, [failing], 'pd_none'), calls };
      });
      expect(Object.fromEntries(seen)).toEqual(
        Object.fromEntries(names.map((name) => [name, { printed: ['200'], calls: 3 }])),
      );
    },
    deadlineMs,
  );

  it(
    'does not repeat what is refused for good',
    async () => {
      const seen = await ofEach(async (_, command) => {
        let calls = 0;
        const refusing = await serve((_request, response) => {
          calls += 1;
          response.statusCode = 403;
          response.end();
        });
        return { printed: await run(command, [refusing], 'pd_none'), calls };
      });
      expect(Object.fromEntries(seen)).toEqual(
        Object.fromEntries(names.map((name) => [name, { printed: ['403'], calls: 1 }])),
      );
    },
    deadlineMs,
  );
});
