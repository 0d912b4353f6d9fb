import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { request } from 'node:http';
import { apiCalls } from '../../../src/server/call-table.ts';
import { csrfOf } from '../../../src/dashboard/request-guard.ts';
import { pages } from '../../../src/dashboard/page-table.ts';
import type { DashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../../support/dashboard-in-memory.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/**
 * Names of sixteen kilobytes wherever a call, a page or a form takes something. What IDNA does with a name takes a time that grows with its
 * square: 834 previews of one account, 63 ms each, kept all others waiting for a second. No name longer than an origin is given to it now, by
 * whatever door it comes.
 */

const long = 15_900;
/** a scheme, a hostname of 253 characters and a port */
const mostParsed = 300;
const token = 'abcdefgh23456777.secret';

let api: InMemoryApi;
let dashboard: DashboardInMemory;
let key: string;
const parse = jest.spyOn(URL, 'parse');

beforeAll(async () => {
  api = createInMemoryApi();
  key = api.account('attacker', 'business');
  api.domain('attacker', 'www.example.com');
  dashboard = await startDashboardInMemory(api);
});
beforeEach(() => void parse.mockClear());
afterAll(() => {
  parse.mockRestore();
  dashboard.stop();
});

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The status; nothing is parsed here, as this process is the server as well. */
const send = ({ method, path, headers = {}, body }: Sent): Promise<number> =>
  new Promise((resolve, reject) => {
    const [, port = ''] = /:(\d+)$/.exec(dashboard.url) ?? [];
    const options = { host: '127.0.0.1', port: Number(port), method, path, headers, agent: false };
    const sent = request(options, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.on('error', reject).end(body);
  });

/** The longest text that was parsed as an address, and so by IDNA. */
const longestParsed = (): number => Math.max(0, ...parse.mock.calls.map(([url]) => String(url).length));

/** Distinct characters, as these take longest, at the same place each run. */
const nameOf = (length: number): string =>
  Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))).join('');

const formFields = [
  'hostname',
  'to',
  'status',
  'role',
  'pair',
  'prepare',
  'name',
  'expiresAt',
  'days',
  'scopes',
  'act',
];
const posts = pages.filter(({ method }) => method === 'post').map((page) => [page.name, page.path] as const);
const signedIn = { 'content-type': 'application/x-www-form-urlencoded' };
const fill = (path: string, value: string): string =>
  path.replace(':project', 'shop').replace(':hostname', 'www.example.com').replaceAll(/:\w+/g, value);

describe('sixteen kilobytes of a name', () => {
  it.each(posts)('in every field of the form %s', async (_, path) => {
    for (const field of formFields) {
      const csrf = csrfOf(token);
      // 16 KiB of a form are read: two thousand characters that are escaped, or as many as are not.
      for (const value of [
        encodeURIComponent(nameOf(1_700)),
        'a'.repeat(long),
        `https%3A%2F%2F${'a.'.repeat(7_900)}`,
      ]) {
        const body = `csrf=${csrf}&${field}=${value}`;
        expect(
          await send({ method: 'POST', path: `/dashboard${fill(path, 'x')}`, headers: signedIn, body }),
        ).toBeLessThan(500);
      }
    }
    expect(longestParsed()).toBeLessThanOrEqual(mostParsed);
  });

  it.each(apiCalls.map((call) => [call.name, call] as const))('in path, query and body of %s', async (_, call) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const value = nameOf(1_500);
    const path = call.path.replaceAll(/\{\w+\}/g, encodeURIComponent(value.slice(0, 400)));
    const method = call.method.toUpperCase();
    for (const name of ['hostname', 'primary', 'name', 'project', 'expiresAt', 'certificate', 'subdomain']) {
      const body = JSON.stringify({ [name]: nameOf(20_000), redirect: { to: nameOf(300) } });
      const query = call.query ? `?cursor=${'x'.repeat(8_000)}&wait=${'1'.repeat(2_000)}` : '';
      expect(await send({ method, path: path + query, headers, body })).toBeLessThan(500);
    }
    const short = call.path
      .replace('{project}', 'shop')
      .replace('{hostname}', 'www.example.com')
      .replace(/\{\w+\}/, 'x');
    expect(await send({ method, path: short, headers, body: JSON.stringify({ hostname: nameOf(253) }) })).toBeLessThan(
      500,
    );
    expect(longestParsed()).toBeLessThanOrEqual(mostParsed);
  });

  it.each([
    ['origin', '/dashboard/sign-in'],
    ['referer', '/dashboard/sign-in'],
    ['x-forwarded-for', '/v1/account'],
    ['x-forwarded-host', '/v1/account'],
    ['accept-language', '/dashboard/sign-in'],
  ])('in the header %s, without a key', async (header, path) => {
    const value = `https://${'\u00fc\u00e4'.repeat(7_000)}`;
    expect(await send({ method: 'POST', path, headers: { ...signedIn, [header]: value } })).toBeLessThan(500);
    expect(longestParsed()).toBeLessThanOrEqual(mostParsed);
  });

  it('in the host of a target in absolute form, without a key', async () => {
    const path = `http://${encodeURIComponent(nameOf(1_500))}/v1/account`;
    expect(await send({ method: 'GET', path })).toBeLessThan(500);
    expect(longestParsed()).toBeLessThanOrEqual(mostParsed);
  });
});
