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

describe('the dashboard, by whoever is signed in', () => {
  const forms: readonly [string, (browser: Browser) => Promise<{ status: number }>][] = [
    ['a page that is not there', (browser) => browser.get('/dashboard/nothing')],
    ['a form to a page that takes none', (browser) => browser.post('/dashboard/projects')],
    ['a form that is too large', (browser) => browser.post('/dashboard/keys', { scopes: 'x'.repeat(20_000) })],
    ['a form without its token', (browser) => browser.post('/dashboard/keys', { csrf: '' })],
  ];

  it.each(forms)('%s spends the account’s budget', async (_, attempt) => {
    const browser = part.api.browser();
    await browser.signIn(key.key);
    const statuses: number[] = [];
    for (let count = 0; count < 30; count += 1) statuses.push((await attempt(browser)).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(9);
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

describe('what is no HTTP', () => {
  it('is answered from the address’s budget', async () => {
    const port = Number(new URL(part.api.url).port);
    const localAddress = anotherAddress();
    const answer = () =>
      new Promise<string>((done) => {
        let text = '';
        const socket = connect({ port, host: '127.0.0.1', localAddress });
        socket.on('data', (chunk) => (text += chunk.toString()));
        socket.on('close', () => done(text)).on('error', () => undefined);
        socket.write('NONSENSE\r\n\r\n');
      });
    const answers: string[] = [];
    for (let count = 0; count < 70; count += 1) answers.push(await answer());
    expect(answers.filter((text) => text.startsWith('HTTP/1.1 429')).length).toBeGreaterThanOrEqual(8);
    expect(answers[0]).toMatch(/x-ratelimit-remaining/i);
  });
});
