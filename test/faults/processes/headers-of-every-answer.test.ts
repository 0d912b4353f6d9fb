import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiListener } from '../../../src/api-server/api-listener.ts';
import { createDashboard } from '../../../src/dashboard/dashboard-app.ts';
import { agentOf } from '../../../src/dashboard/request-guard.ts';
import type { Sessions } from '../../../src/dashboard/sessions/sessions-port.ts';
import { assetPath } from '../../../src/dashboard/static-assets.ts';
import { createApp } from '../../../src/server/http-app.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { unobserved } from '../../support/unobserved-app.ts';
import { presentation } from '../../support/view-context.ts';
import { askRaw } from '../../browser/raw.ts';

/**
 * The API server's own listener over raw sockets: whatever is sent, each answer has the quota's headers, and a connection whose framing is in
 * doubt ends with it (RFC 9112 section 9.6).
 */

let api: InMemoryApi;
let key: string;
let keyOfFault: string;
let server: Server;
const clients: Socket[] = [];
const agent = 'a browser';

beforeAll(async () => {
  api = createInMemoryApi();
  key = api.account('acme', 'pro');
  api.domain('acme', 'www.example.com');
  keyOfFault = api.key('acme', ['domains:read']);
  const { keyId = '', account = '' } = api.stores.apiKeys.list()[0]?.spec ?? {};
  const session = { account, keyId, agent: agentOf({ headers: { 'user-agent': agent } } as never) };
  const sessions: Sessions = {
    open: () => Promise.reject(new Error('no session is opened here')),
    find: () => Promise.resolve(session),
    end: () => Promise.resolve(),
  };
  const { apiKeys } = api.stores;
  const faulty: typeof apiKeys = Object.assign(Object.create(apiKeys) as typeof apiKeys, {
    byIndex(index: string, value: string) {
      if (index === 'keyId' && keyOfFault.includes(value)) throw new Error('a fault of ours');
      return apiKeys.byIndex(index, value);
    },
  });
  const dependencies = { ...api.dependencies, caches: { ...api.dependencies.caches, apiKeys: faulty } };
  const app = createApp({
    ...unobserved(dependencies),
    failed: () => undefined,
    pages: (mount) => createDashboard({ ...mount, dependencies: { ...dependencies, ...presentation, sessions } }),
  });
  const options = { dependencies, address: () => '127.0.0.1', limits: { bodyMs: 300 } };
  server = createApiListener(app, options, { trustedProxies: [] });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  for (const client of clients) client.destroy();
  api.stop();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

interface Heard {
  readonly statuses: readonly number[];
  readonly withoutQuota: readonly string[];
  /** the server said that it closes the connection */
  readonly saysClose: boolean;
}

const isAnswer = /(?=HTTP\/1\.1 [1-5]\d\d )/;

/** Sends the bytes, and resolves once so many answers have come and, where that was announced, the connection has ended. */
function send(bytes: string, answers: number): Promise<Heard> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(client);
  client.write(bytes, 'latin1');
  let text = '';
  return new Promise((done) => {
    const look = () => {
      const heard = text.split(isAnswer).filter((part) => /^HTTP\/1\.1 [1-5]\d\d .*\r\n\r\n/s.test(part));
      const last = heard.at(-1) ?? '';
      const saysClose = /^connection: close\r$/im.test(last);
      if (heard.length < answers || (saysClose && !client.closed)) return;
      client.destroy();
      done({
        statuses: heard.map((part) => Number(part.slice(9, 12))),
        withoutQuota: heard.filter((part) => trio.some((name) => !new RegExp(`^${name}: \\d+\\r$`, 'im').test(part))),
        saysClose,
      });
    };
    client.on('error', () => undefined).on('close', look);
    client.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      look();
    });
  });
}

const trio = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const host = 'Host: api\r\n';
const json = 'Content-Type: application/json\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
const cookie = `Cookie: __Host-projectdomain=abcdefgh23456777.secret\r\nUser-Agent: ${agent}\r\n`;
const large = 'Content-Length: 99999999\r\n';
const head = (line: string, headers = '') => `${line} HTTP/1.1\r\n${host}${headers}\r\n`;
const withKey = () => `Authorization: Bearer ${key}\r\n`;
const withFault = () => `Authorization: Bearer ${keyOfFault}\r\n`;

type Row = readonly [what: string, status: number, ends: boolean, bytes: () => string];

const requests: readonly Row[] = [
  ['a call', 200, false, () => head('GET /v1/account', withKey())],
  ['HEAD', 200, false, () => head('HEAD /v1/account', withKey())],
  ['what is free', 200, false, () => head('GET /v1/account/usage', withKey())],
  ['the description', 200, false, () => head('GET /v1/openapi.json')],
  ['a stream of events', 200, false, () => head('GET /v1/projects/shop/domains/www.example.com/events', withKey())],
  ['no key', 401, false, () => head('GET /v1/account')],
  ['OPTIONS', 405, false, () => head('OPTIONS /v1/account', withKey())],
  [
    'a CORS preflight',
    405,
    false,
    () => head('OPTIONS /v1/projects', 'Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n'),
  ],
  ['OPTIONS of everything', 404, false, () => head('OPTIONS *')],
  ['a method that does not fit', 405, false, () => head('PATCH /v1/account', withKey())],
  ['TRACE', 404, false, () => head('TRACE /')],
  ['nothing there', 404, false, () => head('GET /nothing')],
  ['a long address', 404, false, () => head(`GET /${'a'.repeat(60_000)}`)],
  ['an absolute address', 200, false, () => head('GET http://api/v1/account', withKey())],
  ['no JSON', 415, false, () => head('POST /v1/projects', `${withKey()}Content-Length: 2\r\n`) + '{}'],
  ['broken JSON', 400, false, () => head('POST /v1/projects', `${withKey()}${json}Content-Length: 2\r\n`) + '{x'],
  ['HTTP/1.0', 200, true, () => `GET /v1/account HTTP/1.0\r\n${withKey()}\r\n`],
  [
    'HTTP/1.0 that keeps its connection',
    200,
    false,
    () => `GET /v1/account HTTP/1.0\r\n${withKey()}Connection: keep-alive\r\n\r\n`,
  ],
  [
    'an upgrade',
    200,
    false,
    () => head('GET /v1/account', `${withKey()}Connection: Upgrade\r\nUpgrade: websocket\r\n`),
  ],
  ['another expectation', 417, false, () => head('GET /v1/account', 'Expect: x\r\n')],
  ['no Host', 400, false, () => 'GET /v1/account HTTP/1.1\r\n\r\n'],
  ['two Hosts', 400, true, () => head('GET /v1/account', 'Host: b\r\n')],
  ['a Host that is none', 400, true, () => 'GET /v1/account HTTP/1.1\r\nHost: a b/c@\r\n\r\n'],
  ['a fault of ours before anything is routed', 500, false, () => head('GET /v1/account', withFault())],
  ['a fault of ours in what answers faults', 500, false, () => head('GET /nothing', withFault())],
];

const pages: readonly Row[] = [
  ['/dashboard', 303, false, () => head('GET /dashboard')],
  ['/dashboard/', 303, false, () => head('GET /dashboard/')],
  ['a page without a session', 303, false, () => head('GET /dashboard/projects')],
  ['a page', 200, false, () => head('GET /dashboard/projects', cookie)],
  ['a page that is not there', 404, false, () => head('GET /dashboard/nothing', cookie)],
  ['the form of sign-in', 200, false, () => head('GET /dashboard/sign-in')],
  [
    'a form of sign-in without a key',
    401,
    false,
    () => head('POST /dashboard/sign-in', `${form}Content-Length: 2\r\n`) + 'a=',
  ],
  [
    'a form without its token',
    403,
    false,
    () => head('POST /dashboard/keys', `${cookie}${form}Content-Length: 2\r\n`) + 'a=',
  ],
  ['OPTIONS of a page', 404, false, () => head('OPTIONS /dashboard/sign-in')],
  ['records of nobody', 404, false, () => head('GET /dashboard/records/abc')],
  ['a stylesheet', 200, false, () => head(`GET ${assetPath('style.css')}`)],
  ['a script', 200, false, () => head(`GET ${assetPath('dashboard.js')}`)],
  ['HEAD of an icon', 200, false, () => head(`HEAD ${assetPath('icon.svg')}`)],
  ['a part of a stylesheet', 200, false, () => head(`GET ${assetPath('style.css')}`, 'Range: bytes=0-3\r\n')],
  ['POST to an icon', 404, false, () => head(`POST ${assetPath('icon.svg')}`, 'Content-Length: 0\r\n')],
  ['an older stylesheet', 404, false, () => head('GET /dashboard/assets/abc/style.css')],
];

const broken: readonly Row[] = [
  ['nonsense', 400, true, () => 'NONSENSE\r\n\r\n'],
  ['an unknown method', 400, true, () => head('BREW /v1/account')],
  ['CONNECT', 400, true, () => head('CONNECT a.example:443')],
  ['the preface of HTTP/2', 400, true, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['another version', 400, true, () => `GET / HTTP/2.0\r\n${host}\r\n`],
  ['TLS', 400, true, () => '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03\r\n\r\n'],
  ['an address without a slash', 400, true, () => head('GET v1/account')],
  ['bare line feeds', 400, true, () => `GET / HTTP/1.1\n${host}\n\n`],
  ['a folded header', 400, true, () => head('GET /', 'X: a\r\n b\r\n')],
  ['a NUL', 400, true, () => head('GET /', 'X: a\0b\r\n')],
  ['a head that is too large', 431, true, () => head('GET /', `X: ${'x'.repeat(70_000)}\r\n`)],
  ['an address that is too large', 431, true, () => head(`GET /${'a'.repeat(70_000)}`)],
  ['too many lines', 431, true, () => head('GET /', 'X: x\r\n'.repeat(1_500))],
  ['two lengths', 400, true, () => head('POST /v1/projects', 'Content-Length: 1\r\nContent-Length: 2\r\n')],
  [
    'a length beside chunks',
    400,
    true,
    () => head('POST /v1/projects', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'),
  ],
  ['a length that is no number', 400, true, () => head('POST /v1/projects', 'Content-Length: -1\r\n')],
  ['another transfer coding', 400, true, () => head('POST /v1/projects', 'Transfer-Encoding: gzip\r\n')],
  [
    'chunks of another transfer coding',
    400,
    true,
    () => head('POST /v1/projects', `${withKey()}${json}Transfer-Encoding: gzip, chunked\r\n`) + '0\r\n\r\n',
  ],
  [
    'a body that is no chunks',
    400,
    true,
    () => head('POST /v1/projects', `${withKey()}${json}Transfer-Encoding: chunked\r\n`) + 'zz\r\n',
  ],
];

const sized: readonly Row[] = [
  ['a call', 413, true, () => head('POST /v1/projects', withKey() + json + large)],
  [
    'a call, and is being sent',
    413,
    true,
    () => head('POST /v1/projects', withKey() + json + large) + 'x'.repeat(300_000),
  ],
  [
    'a call that would be invited to send it',
    413,
    true,
    () => head('POST /v1/projects', `${withKey()}${json}${large}Expect: 100-continue\r\n`),
  ],
  ['a call that reads none', 413, true, () => head('GET /v1/account', withKey() + large)],
  ['a call without a key', 413, true, () => head('POST /v1/projects', json + large)],
  ['nothing', 413, true, () => head('POST /nothing', large)],
  ['a stylesheet', 413, true, () => head(`GET ${assetPath('style.css')}`, large)],
  ['the form of sign-in', 413, true, () => head('POST /dashboard/sign-in', `${form}Content-Length: 20000\r\n`)],
  ['a form', 413, true, () => head('POST /dashboard/keys', `${cookie}${form}Content-Length: 20000\r\n`)],
  [
    'a call, in chunks',
    413,
    true,
    () =>
      head('POST /v1/projects', `${withKey()}${json}Transfer-Encoding: chunked\r\n`) +
      `5f5e0ff\r\n${'x'.repeat(100_000)}`,
  ],
  [
    'a form, in chunks',
    413,
    true,
    () =>
      head('POST /dashboard/sign-in', `${form}Transfer-Encoding: chunked\r\n`) + `5f5e0ff\r\n${'x'.repeat(100_000)}`,
  ],
];

const slow: readonly Row[] = [
  ['the body of a call', 408, true, () => head('POST /v1/projects', `${withKey()}${json}Content-Length: 50\r\n`) + '{'],
  [
    'a chunk',
    408,
    true,
    () => head('POST /v1/projects', `${withKey()}${json}Transfer-Encoding: chunked\r\n`) + '5\r\nab',
  ],
  ['a form', 408, true, () => head('POST /dashboard/sign-in', `${form}Content-Length: 50\r\n`) + 'a'],
  ['a head', 408, true, () => 'GET /v1/account HTTP/1.1\r\nHo'],
];

describe('an answer over the wire has the quota’s headers, and says whether it is the last', () => {
  const holds = async (status: number, ends: boolean, bytes: () => string) =>
    expect(await send(bytes(), 1)).toEqual({ statuses: [status], withoutQuota: [], saysClose: ends });

  it.each(requests)('to %s: %i', (_, ...row) => holds(...row));
  it.each(pages)('of the dashboard, to %s: %i', (_, ...row) => holds(...row));
  it.each(broken)('to what is no request, as %s: %i', (_, ...row) => holds(...row));
  // Would fail if any of the body had to come, or be waited for, before its client is told.
  it.each(sized)('to what announces more than may be, with %s: %i', (_, ...row) => holds(...row));
  it.concurrent.each(slow)('to what never comes whole, as %s: %i', (_, ...row) => holds(...row), 60_000);

  it('each of several that were sent at once, up to what is no request', async () => {
    const bytes =
      head('GET /v1/account', withKey()) + head('GET /nothing') + head('GET /dashboard') + 'NONSENSE\r\n\r\n';
    expect(await send(bytes, 4)).toEqual({ statuses: [200, 404, 303, 400], withoutQuota: [], saysClose: true });
  });
});

it.each(['/v1/projects', '/v1/openapi.json'])(
  'a preflight of %s is told its methods, and lets no other origin in',
  async (path) => {
    const { status, headers } = await askRaw(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    });
    expect([status, headers.allow]).toEqual([405, expect.stringContaining('GET')]);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  },
);
