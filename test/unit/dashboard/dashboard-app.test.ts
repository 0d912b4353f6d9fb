import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { csrfOf } from '../../../src/dashboard/request-guard.ts';
import { assetPath } from '../../../src/dashboard/static-assets.ts';
import type { Ask, Limiter } from '../../../src/quota/quota-port.ts';
import type { RawAnswer } from '../../browser/raw.ts';
import { askRaw } from '../../browser/raw.ts';
import type { DashboardOnStores } from '../../support/dashboard-on-stores.ts';
import { agent, cookie, startDashboardOnStores } from '../../support/dashboard-on-stores.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** Fails when the dashboard answers anything without having asked the limiter, or without telling what is left. */

let api: InMemoryApi;
let dashboard: DashboardOnStores;
let asks: Ask[];
let isLimited: boolean;

async function start(areSessionsAway: boolean): Promise<void> {
  [asks, isLimited] = [[], false];
  api = createInMemoryApi();
  api.account('acme', 'business');
  const { limiter } = api.dependencies;
  const counted: Limiter = {
    ...limiter,
    async decide(ask) {
      asks.push(ask);
      const decision = await limiter.decide(ask);
      return isLimited ? { ...decision, kind: 'limited', retryAfter: 17 } : decision;
    },
  };
  dashboard = await startDashboardOnStores(api, { limiter: counted, areSessionsAway });
}

beforeEach(() => start(false));
afterEach(() => dashboard.stop());

const token = cookie.slice(cookie.indexOf('=') + 1);
const signedIn = { cookie, 'user-agent': agent };
const spends = () => asks.map(({ budget, spend }) => [budget.split(':')[0], spend]);

type Sent = readonly [method: string, path: string];
const ask = ([method, path]: Sent, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> =>
  askRaw(`${dashboard.url}/dashboard${path}`, { method, headers });

describe('what ends before anybody is admitted is paid for by the address', () => {
  const undecodable: readonly Sent[] = [
    ['GET', '/projects/%ff'],
    ['POST', '/projects/%ff/domains'],
    ['POST', '/keys/%zz/delete'],
    ['GET', '/assets/%ff/x'],
  ];

  it.each(undecodable)('%s %s, which cannot be decoded', async (...sent) => {
    const { status, headers } = await ask(sent, signedIn);
    expect([status, spends()]).toEqual([400, [['ip', 1]]]);
    expect(headers).toHaveProperty('x-ratelimit-limit');
    isLimited = true;
    expect((await ask(sent)).status).toBe(429);
  });

  const unknown: readonly Sent[] = [
    ['GET', '/projects'],
    ['POST', '/sign-out'],
    ['GET', '/nothing'],
  ];

  it.each(unknown)('%s %s with a cookie that nobody can look up', async (...sent) => {
    await dashboard.stop();
    await start(true);
    const { status, headers } = await ask(sent, signedIn);
    expect([status, spends()]).toEqual([503, [['ip', 1]]]);
    expect(headers).toHaveProperty('x-ratelimit-limit');
    isLimited = true;
    expect((await ask(sent, signedIn)).status).toBe(429);
  });
});

describe('what is free says what is left', () => {
  it.each<Sent>([
    ['GET', ''],
    ['HEAD', '/'],
    ['GET', '/sign-out'],
    ['HEAD', '/sign-out'],
  ])('%s %j, which leads elsewhere', async (...sent) => {
    isLimited = true;
    const { status, headers } = await ask(sent);
    expect([status, spends()]).toEqual([303, [['ip', 0]]]);
    expect(headers).toHaveProperty('x-ratelimit-limit');
  });

  it('signing out', async () => {
    const { status, headers } = await askRaw(`${dashboard.url}/dashboard/sign-out`, {
      method: 'POST',
      headers: signedIn,
      form: { csrf: csrfOf(token) },
    });
    expect([status, spends()]).toEqual([303, [['ip', 0]]]);
    expect(headers).toHaveProperty('x-ratelimit-limit');
  });
});

it('an asset says what the address has left and spends none of it, so browsers alone keep it', async () => {
  isLimited = true;
  const { status, headers } = await askRaw(`${dashboard.url}${assetPath('style.css')}`, {});
  expect([status, spends()]).toEqual([200, [['ip', 0]]]);
  expect(headers['cache-control']).toMatch(/^private, max-age=\d+, immutable$/);
  expect(headers).toHaveProperty('x-ratelimit-limit');
  expect(headers).not.toHaveProperty('retry-after');
});

/**
 * What a page's script asks first would otherwise take the reason with it: the customer would be at the sign-in form, and no word would say why.
 * Fails when the session ends, or its cookie, before a page has said so; and when either outlives that page.
 */
describe('a session whose key has expired', () => {
  const cleared = [expect.stringContaining('Max-Age=0')];
  const page: Sent = ['GET', '/projects'];
  const expired = expect.stringContaining('expired') as unknown;

  beforeEach(() => {
    const [key] = api.stores.apiKeys.list();
    api.put({ ...key, spec: { ...key?.spec, expiresAt: new Date(0).toISOString() } });
  });

  it.each<[what: string, sent: Sent, mode: string]>([
    ['the stream of a page', ['GET', '/projects/shop/events'], 'same-origin'],
    ['a look whether the session goes on', ['GET', '/projects/shop'], 'cors'],
    ['a look at what the quota has left', ['HEAD', '/plan'], 'cors'],
  ])('opens nothing to %s, and the page that follows says why', async (_, sent, mode) => {
    const unseen = await ask(sent, { ...signedIn, 'sec-fetch-mode': mode });
    expect([unseen.status, unseen.headers['set-cookie']]).toEqual([401, undefined]);
    const seen = await ask(page, { ...signedIn, 'sec-fetch-mode': 'navigate' });
    expect(seen).toMatchObject({ status: 401, body: expired });
    expect(seen.headers['set-cookie']).toEqual(cleared);
    const later = await ask(page, signedIn);
    expect(later).toMatchObject({ status: 401, body: expect.not.stringContaining('expired') as unknown });
  });

  it('ends with the first page in a browser that does not say what a request is for', async () => {
    const seen = await ask(page, signedIn);
    expect(seen).toMatchObject({ status: 401, body: expired });
    expect(seen.headers['set-cookie']).toEqual(cleared);
  });
});
