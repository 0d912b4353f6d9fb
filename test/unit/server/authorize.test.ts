import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Ask, Decision } from '../../../src/quota/quota-port.ts';
import { createAuthorize } from '../../../src/server/authorize.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { unobserved } from '../../support/unobserved-app.ts';

/** What the authorize endpoint asks the limiter, and how it words the answer for each kind of proxy. */

const now = Date.UTC(2026, 0, 1);
const minute = { limit: 60, remaining: 0, resetsAtMs: now + 7_000 };
const decided = { kind: 'allowed', now, minute, day: null, binding: 'minute', retryAfter: null } as const;
const allowed: Decision = { ...decided, ban: null, banBegins: false, degraded: false };
const limited: Decision = { ...allowed, kind: 'limited', retryAfter: 7 };
const banned: Decision = {
  ...allowed,
  kind: 'banned',
  retryAfter: 60,
  ban: { until: now / 1_000 + 60, seconds: 60, strikes: 18, step: 1 },
};
const madeUp = 'pd_0123456789abcdef_0123456789abcdefghijklmnopqrstuvwxyz';

interface Seen {
  readonly asked: Ask[];
  readonly failed: unknown[];
  readonly routes: (string | null)[];
  readonly memory: InMemoryApi;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

async function started(decide: (ask: Ask) => Promise<Decision>): Promise<Seen> {
  const memory = createInMemoryApi();
  const [asked, failed, routes]: [Ask[], unknown[], (string | null)[]] = [[], [], []];
  const limiter = {
    recall: () => null,
    decide: (ask: Ask) => {
      asked.push(ask);
      return decide(ask);
    },
    close: () => Promise.resolve(),
  };
  const server = createServer(
    createAuthorize({
      ...unobserved({ ...memory.dependencies, limiter }),
      address: () => '203.0.113.9',
      failed: (error) => failed.push(error),
      apis: { uploads: { cost: 5 }, search: { cost: 1 } },
      served: ({ route }) => routes.push(route),
    }),
  );
  await new Promise<void>((done) => server.listen({ port: 0, host: '127.0.0.1' }, done));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, failed, routes, memory, get: (path, headers = {}) => fetch(`${base}${path}`, { headers }) };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('the limiter is asked', () => {
  it('for the account, at the cost of the API that the path begins with, whatever follows it', async () => {
    const { get, asked, memory, routes } = await started(() => Promise.resolve(allowed));
    const key = memory.account('acme', 'pro');
    for (const path of [
      '/authorize/uploads',
      '/authorize/uploads/v1/authorize/search?x=/authorize/search',
      '/authorize/search?y',
    ])
      expect((await get(path, bearer(key))).status).toBe(200);
    expect(asked.map(({ budget, spend }) => [budget, spend])).toEqual([
      ['a:id-of-acme', 5],
      ['a:id-of-acme', 5],
      ['a:id-of-acme', 1],
    ]);
    expect(routes).toEqual(['authorize uploads', 'authorize uploads', 'authorize search']);
  });

  // Would fail if whoever makes keys up could have state kept for each.
  it.each<[string, Record<string, string>]>([
    ['without a key', {}],
    ['with one that was made up', bearer(madeUp)],
    ['with no key at all in its place', { authorization: 'Basic dTpw' }],
  ])('for the address alone, and one request: %s', async (_, headers) => {
    const { get, asked } = await started(() => Promise.resolve(allowed));
    const answered = await get('/authorize/uploads', headers);
    expect(answered.status).toBe(401);
    expect(answered.headers.get('www-authenticate')).toBe('Bearer realm="projectdomain"');
    expect(asked).toMatchObject([{ budget: 'ip:203.0.113.9', key: null, spend: 1 }]);
  });

  it.each([
    '/authorize/other',
    '/authorize/constructor',
    '/authorize',
    '/',
    '/authorize-nginx/other',
    '/Authorize/uploads',
  ])('for the address alone about what is not listed, whoever asks: %s', async (path) => {
    const { get, asked, memory } = await started(() => Promise.resolve(allowed));
    const answered = await get(path, bearer(memory.account('acme', 'pro')));
    expect(answered.status).toBe(404);
    expect(answered.headers.get('x-ratelimit-limit')).toBe('60');
    expect(asked).toMatchObject([{ budget: 'ip:203.0.113.9', key: null, spend: 1 }]);
  });
});

describe('the answer', () => {
  it.each<[string, Decision, string, number, number | null]>([
    ['admitted', allowed, '/authorize/uploads', 200, null],
    ['admitted, for nginx', allowed, '/authorize-nginx/uploads', 200, null],
    ['over the limit', limited, '/authorize/uploads', 429, null],
    ['over the limit, for nginx', limited, '/authorize-nginx/uploads', 403, 429],
    ['banned', banned, '/authorize/uploads', 403, null],
    ['banned, for nginx', banned, '/authorize-nginx/uploads', 403, 403],
  ])('%s', async (_, decision, path, status, told) => {
    const { get, memory } = await started(() => Promise.resolve(decision));
    const answered = await get(path, { ...bearer(memory.account('acme', 'pro')), 'x-request-id': 'r-1' });
    expect(answered.status).toBe(status);
    expect(answered.headers.get('x-authorize-status')).toBe(told === null ? null : String(told));
    expect(answered.headers.get('retry-after')).toBe(decision.retryAfter === null ? null : String(decision.retryAfter));
    expect(answered.headers.get('x-ratelimit-limit')).toBe('60');
    expect(answered.headers.get('cache-control')).toBe('no-store');
    const text = await answered.text();
    if (status === 200) return expect(text).toBe('');
    expect(JSON.parse(text)).toMatchObject({ requestId: 'r-1', status: told ?? status });
    if (told !== null) expect(answered.headers.get('x-authorize-problem')).toBe(text);
  });

  it('for nginx has the document in ASCII, as a header does', async () => {
    const { get } = await started(() => Promise.resolve(allowed));
    const answered = await get('/authorize-nginx/uploads');
    expect([answered.status, answered.headers.get('x-authorize-status')]).toEqual([401, '401']);
    const header = answered.headers.get('x-authorize-problem') ?? '';
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(header)).toEqual(await answered.json());
    expect(header).toContain('pd_\\u2026');
  });

  it('says nothing of whose a key is to a request that is refused', async () => {
    const { get, memory } = await started(() => Promise.resolve(limited));
    const { headers } = await get('/authorize/uploads', bearer(memory.account('acme', 'pro')));
    expect([...headers.keys()].filter((name) => /^x-(account|api-key)/.test(name))).toEqual([]);
  });

  it('is 500 where something fails that nobody foresaw, and the next request is answered', async () => {
    let isBroken = true;
    const { get, memory, failed } = await started(() =>
      isBroken ? Promise.reject(new Error('unforeseen')) : Promise.resolve(allowed),
    );
    const key = memory.account('acme', 'pro');
    const answered = await get('/authorize/uploads', bearer(key));
    expect([answered.status, await answered.json()]).toMatchObject([500, { code: 'internal-error' }]);
    expect(failed).toMatchObject([{ message: 'unforeseen' }]);
    isBroken = false;
    expect((await get('/authorize/uploads', bearer(key))).status).toBe(200);
  });
});
