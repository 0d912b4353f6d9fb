import { beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import type { Browser, MadeKey } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';

/**
 * A client looks for requests that cost nothing: other methods, paths that are not there, broken bodies and broken HTTP.
 * Whatever is answered is paid for by the key or the address, and says so in the quota's headers.
 */

const part = attackPart();
let account: string;
let key: MadeKey;
let addresses = 0;
const anotherAddress = (): string => `127.0.4.${(addresses += 1)}`;

beforeEach(() => {
  account = part.fresh('account');
  part.api.account(account, { requestsPerMinute: 20 });
  key = part.api.key(account);
});

const calls: readonly [string, string, string][] = [
  ['HEAD', 'HEAD', '/v1/account'],
  ['OPTIONS', 'OPTIONS', '/v1/account'],
  ['TRACE', 'TRACE', '/v1/account'],
  ['an invented method', 'PROPFIND', '/v1/account'],
  ['a method that does not fit', 'DELETE', '/v1/account'],
  ['a path that is not there', 'GET', '/v1/nothing'],
  ['a path in other letters', 'GET', '/V1/account'],
  ['a path with a percent sign that escapes nothing', 'GET', '/v1/projects/%zz'],
  ['a query that is not known', 'GET', '/v1/account?x=1'],
  ['a path with an escape that is no UTF-8', 'GET', '/v1/projects/%ff'],
  ['OPTIONS of everything', 'OPTIONS', '/'],
  ['the description', 'GET', '/v1/openapi.json'],
];

describe('asked again and again', () => {
  it.each(calls)('%s spends the key’s budget', async (_, method, path) => {
    const statuses: number[] = [];
    for (let count = 0; count < 30; count += 1) {
      const { status, headers } = await part.api.rest(key.key, path, { method });
      statuses.push(status);
      expect(headers).toHaveProperty('x-ratelimit-remaining');
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  it.each(calls)('%s without a key spends the address’s budget', async (_, method, path) => {
    const from = anotherAddress();
    const statuses: number[] = [];
    for (let count = 0; count < 70; count += 1) {
      statuses.push((await part.api.rest(null, path, { method, from })).status);
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(8);
  });
});

describe('the dashboard, by an address', () => {
  it.each<[string, string]>([
    ['GET', '/dashboard/projects/%ff'],
    ['HEAD', '/dashboard/projects/%ff'],
    ['POST', '/dashboard/projects/%ff/domains'],
    ['POST', '/dashboard/keys/%zz/delete'],
    ['GET', '/dashboard/assets/%ff/x'],
    ['GET', '/dashboard/assets/%e0%a4/style.css'],
    ['GET', '/dashboard/records/%ff'],
    ['OPTIONS', '/dashboard/%ff'],
  ])('%s %s spends its budget', async (method, path) => {
    const from = anotherAddress();
    const statuses: number[] = [];
    for (let count = 0; count < 70; count += 1) {
      const { status, headers } = await part.api.rest(null, path, { method, from });
      statuses.push(status);
      expect(headers).toHaveProperty('x-ratelimit-remaining');
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(8);
  });
});

describe('the dashboard, by whoever is signed in', () => {
  const forms: readonly [string, (browser: Browser) => Promise<{ status: number }>][] = [
    ['a page that is not there', (browser) => browser.get('/dashboard/nothing')],
    ['a form to a page that takes none', (browser) => browser.post('/dashboard/projects')],
    ['a form that is too large', (browser) => browser.post('/dashboard/keys', { scopes: 'x'.repeat(20_000) })],
    ['a form without its token', (browser) => browser.post('/dashboard/keys', { csrf: '' })],
  ];

  it.each(forms)('%s spends the session’s budget', async (_, attempt) => {
    const browser = part.api.browser();
    await browser.signIn(key.key);
    const answers = await Promise.all(Array.from({ length: 150 }, () => attempt(browser)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(9);
  });

  it.each(['POST', 'PUT', 'OPTIONS'])(
    '%s of sign-out with cookies that are invented spends the address’s',
    async (method) => {
      const from = anotherAddress();
      const statuses: number[] = [];
      for (let count = 0; count < 70; count += 1) {
        const headers = { cookie: `__Host-projectdomain=${key.keyId}.${'x'.repeat(43)}` };
        statuses.push((await part.api.rest(null, '/dashboard/sign-out', { method, from, headers })).status);
      }
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(8);
    },
  );
});

/** Requests that Node.js would answer, or drop, before any handler sees them. */
describe('what no call of the API is', () => {
  const host = 'Host: api\r\n';
  it.each<[string, string, number]>([
    ['no HTTP', 'NONSENSE\r\n\r\n', 400],
    [
      'an expectation that nobody meets',
      `GET /v1/account HTTP/1.1\r\n${host}Expect: x\r\nConnection: close\r\n\r\n`,
      417,
    ],
    [
      'one of them two expectations',
      `GET /v1/account HTTP/1.1\r\n${host}Expect: 100-continue, x\r\nConnection: close\r\n\r\n`,
      417,
    ],
    [
      'an expectation at the dashboard',
      `GET /dashboard/sign-in HTTP/1.1\r\n${host}Expect: x\r\nConnection: close\r\n\r\n`,
      417,
    ],
    ['no Host', 'GET /v1/account HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['no Host at the dashboard', 'GET /dashboard/sign-in HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a tunnel', `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`, 400],
    ['a tunnel without a Host', 'CONNECT example.com:443 HTTP/1.1\r\n\r\n', 400],
    ['an upgrade', `GET /v1/account HTTP/1.1\r\n${host}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`, 401],
    [
      'an upgrade to HTTP/2',
      `GET /v1/account HTTP/1.1\r\n${host}Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
      401,
    ],
    ['a head that is too large', `GET /v1/account HTTP/1.1\r\n${host}X: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    ['a head of too many lines', `GET /v1/account HTTP/1.1\r\n${host}${'X: x\r\n'.repeat(1_000)}\r\n`, 431],
    ['two lengths', `POST /v1/account HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
    ['a head that ends in its middle', `GET /v1/account HTTP/1.1\r\nHo`, 400],
    [
      'a body that is no chunks',
      `POST /v1/account HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nno chunk\r\n`,
      400,
    ],
    ['HTTP/2 without being asked', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['another version', `GET /v1/account HTTP/3.7\r\n${host}\r\n`, 400],
  ])('such as %s is answered from the address’s budget', async (what, bytes, status) => {
    const port = Number(new URL(part.api.url).port);
    const localAddress = anotherAddress();
    const answer = () =>
      new Promise<string>((done) => {
        let text = '';
        const socket = connect({ port, host: '127.0.0.1', localAddress });
        socket.on('data', (chunk) => (text += chunk.toString()));
        socket.on('close', () => done(text)).on('error', () => undefined);
        if (what.includes('ends')) socket.end(bytes);
        else socket.write(bytes);
      });
    const answers: string[] = [];
    for (let count = 0; count < 70; count += 1) answers.push(await answer());
    expect(answers[0]?.slice(0, 13)).toBe(`HTTP/1.1 ${status} `);
    expect(answers.filter((text) => text.startsWith('HTTP/1.1 429')).length).toBeGreaterThanOrEqual(8);
    expect(answers.filter((text) => !/^x-ratelimit-remaining: \d+\r$/im.test(text))).toEqual([]);
  });

  it('such as a form of sign-in that never comes whole is answered from it too, and nobody waits for the form', async () => {
    const port = Number(new URL(part.api.url).port);
    const localAddress = anotherAddress();
    const half = 'POST /dashboard/sign-in HTTP/1.1\r\nHost: api\r\nContent-Length: 200\r\n\r\nk';
    const sockets = Array.from({ length: 70 }, () => connect({ port, host: '127.0.0.1', localAddress }));
    const refused = sockets.map(
      (socket) =>
        new Promise<boolean>((done) =>
          socket
            .on('error', () => done(false))
            .on('close', () => done(false))
            .once('data', (text: Buffer) => done(text.toString().startsWith('HTTP/1.1 429'))),
        ),
    );
    for (const socket of sockets) socket.write(half);
    const statuses = await Promise.all(refused);
    for (const socket of sockets) socket.destroy();
    expect(statuses.filter(Boolean).length).toBeGreaterThanOrEqual(8);
  });
});
