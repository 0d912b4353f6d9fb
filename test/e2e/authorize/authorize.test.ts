import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import type { StartProxy, TestProxy } from '../../support/authorize-proxies.ts';
import { startEnvoyProxy, startNginxProxy, startTraefikProxy } from '../../support/authorize-proxies.ts';
import type { Arrived, Answered, AuthorizeServer, Sent } from '../../support/authorize-server.ts';
import { send, startApiBehind, startAuthorizeServer } from '../../support/authorize-server.ts';
import { untilBanned } from '../../support/until-banned.ts';

/** Another API of the platform's behind real proxies, as config/authorize has them: who may pass, and what clients and the API see. */

const deadlineMs = 600_000;
const cost = 5;
const quotaHeaders = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
];

let endpoint: AuthorizeServer;
let api: { readonly at: string; readonly arrived: Arrived[]; stop(): Promise<void> };
let dir: string;

beforeAll(async () => {
  dir = temporaryFolder('authorize');
  endpoint = await startAuthorizeServer({ uploads: { cost } });
  api = await startApiBehind();
}, deadlineMs);

afterAll(async () => {
  await api.stop();
  await endpoint.stop();
  rmSync(dir, { recursive: true, force: true });
});

interface Case {
  readonly name: string;
  readonly start: StartProxy;
  /** shows the quota on responses of the API, too */
  readonly showsQuota: boolean;
  /** what its clients get while nothing answers at the endpoint */
  readonly away: number;
}

const cases: readonly Case[] = [
  { name: 'Traefik', start: startTraefikProxy, showsQuota: false, away: 500 },
  { name: 'nginx', start: startNginxProxy, showsQuota: true, away: 500 },
  { name: 'Envoy', start: startEnvoyProxy, showsQuota: true, away: 503 },
];

describe.each(cases)('$name', ({ name, start, showsQuota, away }) => {
  let proxy: TestProxy;

  beforeAll(async () => {
    const own = join(dir, name.toLowerCase());
    mkdirSync(own);
    proxy = await start({ authorize: endpoint.at, api: api.at, dir: own });
  }, deadlineMs);
  afterAll(() => proxy.stop());
  beforeEach(() => void (api.arrived.length = 0));

  const account = (label: string, perMinute: number) => {
    const id = `${label}-${name.toLowerCase()}`;
    return { id, key: endpoint.account(id, perMinute) };
  };
  const ask = (key: string, sent: Sent = {}): Promise<Answered> =>
    send(proxy.port, { ...sent, headers: { authorization: `Bearer ${key}`, ...sent.headers } });
  const document = ({ body }: Answered) => JSON.parse(body) as { readonly code: string; readonly status: number };

  // Would fail if a client could tell the API that it is somebody else.
  it('tells the API whose the key is, whatever a client claims', async () => {
    const { id, key } = account('mine', 1_000);
    const forged = {
      'x-account-name': 'other',
      'x-account-id': 'id-of-other',
      'x-account-plan': 'free',
      'x-api-key-id': 'other',
      'x-api-key-scopes': 'everything',
      x_account_name: 'other',
      X_Account_Id: 'id-of-other',
      'X-Account_Name': 'other',
      'x_account-plan': 'free',
      'X-Api_Key-Id': 'other',
      'x_api_key-scopes': 'everything',
    };
    const { status, headers, body } = await ask(key, {
      method: 'POST',
      path: '/v1/files?x=1',
      headers: forged,
      body: 'b',
    });
    expect([status, body]).toEqual([200, 'the API']);
    expect(api.arrived).toMatchObject([
      {
        method: 'POST',
        path: '/v1/files?x=1',
        headers: {
          'x-account-name': id,
          'x-account-id': `id-of-${id}`,
          'x-account-plan': 'enterprise',
          'x-api-key-id': key.split('_')[1],
          'x-api-key-scopes': 'domains:read domains:write keys:write',
        },
      },
    ]);
    const names = Object.keys(api.arrived[0]?.headers ?? {});
    expect(names.filter((header) => header.includes('_'))).toEqual([]);
    const seen = quotaHeaders.filter((header) => headers[header] !== undefined);
    expect(seen).toEqual(showsQuota ? quotaHeaders : []);
    if (showsQuota) expect(headers).toMatchObject({ 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '995' });
  });

  it('takes the key from X-API-Key too, and leaves the responses of the API as they are', async () => {
    const { key } = account('plain', 1_000);
    const headers = { 'x-api-key': key, 'x-answer': '403' };
    const { status, body } = await send(proxy.port, { headers });
    expect([status, body]).toEqual([403, 'the API']);
  });

  // Would fail if the cost could be had cheaper by a path, or if what is refused reached the API.
  it('spends what the administrator said, over all keys of the account, and then answers 429 in the place of the API', async () => {
    const { id, key } = account('spent', 4 * cost);
    const other = endpoint.key(id);
    const paths = ['/a', '/authorize/cheap', '//authorize/cheap', '/b?api=cheap'];
    for (const [place, path] of paths.entries())
      expect((await ask(place % 2 === 0 ? key : other, { path })).status).toBe(200);
    expect(api.arrived).toHaveLength(paths.length);
    const refused = await ask(key, { path: '/v1/files' });
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      'content-type': expect.stringContaining('application/problem+json'),
      'x-ratelimit-limit': '20',
      'x-ratelimit-remaining': '0',
      'retry-after': expect.stringMatching(/^[1-9]\d?$/),
    });
    expect(quotaHeaders.filter((header) => refused.headers[header] === undefined)).toEqual([]);
    expect(document(refused)).toMatchObject({ code: 'quota-exceeded', status: 429 });
    expect(api.arrived).toHaveLength(paths.length);
  });

  it('answers 403 to a key that is banned', async () => {
    const { key } = account('banned', cost);
    const statuses: number[] = [];
    const banned = await untilBanned(async () => {
      const answer = await ask(key);
      statuses.push(answer.status);
      return answer;
    });
    expect(banned.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^\d+$/),
      'x-ratelimit-remaining': '0',
    });
    expect(document(banned)).toMatchObject({ code: 'abnormal-usage-detected' });
    expect(statuses.slice(0, 2)).toEqual([200, 429]);
    expect(api.arrived).toHaveLength(1);
  }, 120_000);

  // Would fail if a forged X-Forwarded-For were a way to another address' budget, or out of one's own.
  it('answers 401 without a valid key, and 429 to an address that goes on', async () => {
    const from = `127.0.1.${1 + cases.findIndex((one) => one.name === name)}`;
    const first = await send(proxy.port, { from });
    expect(first.status).toBe(401);
    expect(first.headers).toMatchObject({
      'www-authenticate': 'Bearer realm="projectdomain"',
      'x-ratelimit-limit': '60',
    });
    expect(document(first)).toMatchObject({ code: 'unauthenticated' });
    const madeUp = { authorization: 'Bearer pd_0123456789abcdef_0123456789abcdefghijklmnopqrstuvwxyz' };
    const statuses = new Map<number, number>();
    for (let at = 1; at < 62; at += 1) {
      const headers = { ...madeUp, 'x-forwarded-for': `198.51.100.${at}` };
      const { status } = await send(proxy.port, { from, headers });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [401, 59],
      [429, 2],
    ]);
    expect((await send(proxy.port, { from: '127.0.1.99' })).status).toBe(401);
    expect(api.arrived).toEqual([]);
  });

  // Would fail if what a client sends beside its key could make the endpoint refuse, or nginx answer 500.
  it('asks with the key alone, however long the rest of a request is', async () => {
    const { key } = account('long', 1_000);
    const headers = Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`x-long-${at}`, 'l'.repeat(6_000)]));
    const { status } = await ask(key, { headers, path: '/v1/files' });
    expect([status, api.arrived.length]).toEqual([200, 1]);
  });

  it('lets nothing pass while the endpoint is away, and everything once it is back', async () => {
    const { key } = account('away', 1_000);
    await endpoint.stopListening();
    const { status } = await ask(key);
    await endpoint.restart();
    expect(status).toBe(away);
    expect(api.arrived).toEqual([]);
    expect((await ask(key)).status).toBe(200);
  });
});
