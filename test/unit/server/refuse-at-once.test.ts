import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Ask, Decision } from '../../../src/quota/quota-port.ts';
import { createApp } from '../../../src/server/http-app.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { unobserved } from '../../support/unobserved-app.ts';

/** What memory refuses is answered before anything is routed, with the same response as after Redis has refused it. */

const now = Date.parse('2026-01-01T12:00:00Z');
const minute = { limit: 300, remaining: 0, resetsAtMs: now + 17_000 };
const refused: Decision = {
  kind: 'limited',
  now,
  minute,
  day: { limit: 10_000, remaining: 9_000, resetsAtMs: now + 3_600_000 },
  binding: 'minute',
  retryAfter: 17,
  ban: null,
  banBegins: false,
  degraded: false,
};

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** An API whose limiter refuses everything: from memory where it remembers, or after it was asked. */
async function refusing(remembers: boolean) {
  const memory = createInMemoryApi();
  const key = memory.account('acme', 'pro');
  const [recalled, asked, decided]: [Ask[], Ask[], (string | null)[]] = [[], [], []];
  const limiter = {
    recall: (ask: Ask) => {
      recalled.push(ask);
      return remembers ? refused : null;
    },
    decide: (ask: Ask) => {
      asked.push(ask);
      return Promise.resolve(refused);
    },
    close: () => Promise.resolve(),
  };
  const app = createApp({
    ...unobserved({ ...memory.dependencies, limiter }),
    decided: (_, caller) => decided.push(caller?.account.metadata.name ?? null),
    pages: () => (_request, response) => void response.end('a page'),
  });
  const server = createServer(app);
  await new Promise<void>((done) => server.listen({ port: 0, host: '127.0.0.1' }, done));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = async (path: string, sent: string | null = key, method = 'GET') => {
    const headers = { 'x-request-id': 'one', ...(sent === null ? {} : { authorization: `Bearer ${sent}` }) };
    const response = await fetch(`${base}${path}`, { method, headers });
    const { date: _, ...rest } = Object.fromEntries(response.headers);
    return { status: response.status, headers: rest, body: await response.text() };
  };
  return { get, recalled, asked, decided, memory };
}

describe('a remembered refusal', () => {
  // Would fail if the two ways to refuse had different headers or documents.
  it.each([
    ['of a call', '/v1/projects', 'GET'],
    ['of a call that costs more', '/v1/lookups?hostname=www.example.com', 'GET'],
    ['of what needs no key', '/v1/openapi.json', 'GET'],
    ['of a method that is not allowed', '/v1/projects', 'DELETE'],
    ['of a path that does not exist', '/v1/nothing', 'GET'],
  ])('%s is the response that Redis would have brought about', async (_, path, method) => {
    const [memory, redis] = [await refusing(true), await refusing(false)];
    const answer = await memory.get(path, undefined, method);
    expect(answer.status).toBe(429);
    expect(answer).toEqual(await redis.get(path, undefined, method));
    expect([memory.asked, memory.decided, redis.decided]).toEqual([[], ['acme'], ['acme']]);
    expect(memory.recalled).toMatchObject([{ budget: 'a:id-of-acme', spend: 1 }]);
  });

  it('is that of the address where the key is unknown', async () => {
    const [memory, redis] = [await refusing(true), await refusing(false)];
    for (const sent of [null, 'pd_unknown']) {
      const answer = await memory.get('/v1/projects', sent);
      expect(answer.status).toBe(429);
      expect(answer).toEqual(await redis.get('/v1/projects', sent));
    }
    expect(memory.recalled).toMatchObject([{ budget: 'ip:127.0.0.1', key: null }, { budget: 'ip:127.0.0.1' }]);
    expect(memory.decided).toEqual([null, null]);
  });

  it.each([
    ['of what is free', '/v1/account/usage', 200],
    ['of what is free, with a query', '/v1/account/usage?x', 400],
    ['of a page, which does its own admission', '/dashboard', 200],
  ])('%s is nobody’s business', async (_, path, status) => {
    const { get, recalled } = await refusing(true);
    expect((await get(path)).status).toBe(status);
    expect(recalled).toEqual([]);
  });

  it('is not enough where a limit is tried out, as that is asked too', async () => {
    const { get, recalled, asked, memory } = await refusing(true);
    const pro = memory.stores.plans.get({ namespace: '', name: 'pro' });
    memory.put({ ...pro, spec: { ...pro?.spec, shadowRateLimit: { requestsPerMinute: 5, requestsPerDay: 50 } } });
    expect((await get('/v1/projects')).status).toBe(429);
    expect(recalled).toEqual([]);
    expect(asked.map(({ budget }) => budget).sort()).toEqual(['a:id-of-acme', 's:id-of-acme']);
  });
});
