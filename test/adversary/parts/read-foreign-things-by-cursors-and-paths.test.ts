import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import type { Rest } from '../../../dev/lib/rest.ts';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';

/**
 * Cursors, names and paths that point out of the account: another's namespace, parents, encoded slashes. Names are looked up in
 * the caller's own namespace alone, and a cursor has a MAC over the account, the list and the name to go on after.
 */

let api: ApiOnStores;
let rest: Rest & { readonly key: string };

beforeAll(async () => {
  api = await startApiOnStores();
  rest = api.account('curious', 'pro');
  const victim = api.account('victim', 'pro');
  await victim('/v1/projects/shop/domains', { method: 'POST', body: { hostname: 'secret.example.com' } });
  api.project('victim', 'hidden');
  await rest('/v1/projects/shop/domains', { method: 'POST', body: { hostname: 'mine.example.com' } });
  for (const [asked, to] of [
    [victim, 'secret'],
    [rest, 'mine'],
  ] as const) {
    const body = { hostname: `a-${to}.example.com`, role: 'redirect', redirect: { to: `${to}.example.com` } };
    await asked('/v1/projects/shop/domains', { method: 'POST', body: { ...body, labels: { customer: to } } });
  }
  cursors = {
    victims: await cursorFrom(victim, '/v1/domains?limit=1'),
    victimsProject: await cursorFrom(victim, '/v1/projects/shop/domains?limit=1'),
    own: await cursorFrom(rest, '/v1/domains?limit=1'),
    ownProject: await cursorFrom(rest, '/v1/projects/shop/domains?limit=1'),
    ownFiltered: await cursorFrom(rest, '/v1/domains?limit=1&q=mine'),
    ownByAge: await cursorFrom(rest, '/v1/domains?limit=1&sort=createdAt'),
  };
});

afterAll(() => api.stop());

async function cursorFrom(asked: Rest, path: string): Promise<string> {
  const { nextCursor } = (await asked(path)).body;
  if (typeof nextCursor !== 'string') throw new Error(`${path} has no second page`);
  return nextCursor;
}

type Name = 'victims' | 'victimsProject' | 'own' | 'ownProject' | 'ownFiltered' | 'ownByAge';
let cursors: Readonly<Record<Name, string>>;

/** The path as it is, which fetch would tidy up. */
function raw(path: string, method = 'GET'): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(api.url);
  const headers = { authorization: `Bearer ${rest.key}` };
  return new Promise((resolve, reject) => {
    const ask = request({ hostname, port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    ask.on('error', reject).end();
  });
}

const made = (key: string) => Buffer.from(`1:${key}`).toString('base64url');
const madeWithMac = (key: string) => Buffer.concat([Buffer.alloc(16, 1), Buffer.from(key)]).toString('base64url');
const list = '/v1/projects/shop/domains';

describe('whoever is curious', () => {
  it.each([
    '/v1/projects/hidden',
    '/v1/projects/victim%2Fshop',
    '/v1/projects/victim%2Fhidden',
    '/v1/projects/..%2Fvictim%2Fhidden',
    '/v1/projects/shop/../../victim/projects/hidden',
    '/v1/projects/%2e%2e/victim',
    '/v1/projects/shop%00/domains',
    '/v1/projects/SHOP',
    '/v1//projects/hidden',
    '/v1/projects/__proto__',
    '/v1/projects/constructor/domains',
    '/v1/projects/shop/domains/secret.example.com',
    '/v1/projects/shop/domains/..%2F..%2Fhidden',
    '/v1/projects/shop/domains/__proto__',
    '/v1/projects/shop/domains/secret.example.com%2Fevents',
    '/v1/keys/..%2Fprojects',
  ])('finds nothing at %s', async (path) => {
    const { status, text } = await raw(path);
    expect([404, 405]).toContain(status);
    expect(text).not.toMatch(/"hostname":|"platformHostname":/);
  });

  it.each(['/v1/projects/%', '/v1/projects/%ff/domains', '/v1/projects/shop/domains/%E0%A4%A'])(
    'is told that %s cannot be read',
    async (path) => {
      expect((await raw(path)).status).toBe(400);
    },
  );

  it.each<[string, string]>([
    ['of another namespace', made('victim/')],
    ['before everything', made('')],
    ['of a null character', made('\0')],
    ['of a surrogate that stands alone', made('\ud800')],
    ['of the prototype', made('__proto__')],
    ['in plain base64', Buffer.from('1:a+b/c').toString('base64').replaceAll('+', '%2B').replaceAll('/', '%2F')],
    ['of another namespace under a MAC of nobody', madeWithMac('victim/')],
    ['of a hostname of its own under a MAC of nobody', madeWithMac('mine.example.com mine.example.com')],
  ])('is refused with a made-up cursor %s', async (_, given) => {
    const { status, text } = await raw(`${list}?cursor=${given}`);
    expect([status, text.includes('secret')]).toEqual([400, false]);
    expect(text).toContain('cursor: send nextCursor of the previous page unchanged');
  });

  it.each<[string, string]>([
    ['a cursor of another version', `cursor=${Buffer.from('2:a').toString('base64url')}`],
    ['a cursor of nothing', 'cursor='],
    ['a cursor of 2,000 characters', `cursor=${'a'.repeat(2_000)}`],
    ['two cursors', 'cursor=MTo&cursor=MTo'],
    ['a cursor that is an object', 'cursor[a]=MTo'],
    ['a limit of zero', 'limit=0'],
    ['a limit of a million', 'limit=1000000'],
    ['a limit below zero', 'limit=-1'],
    ['a limit that is no whole number', 'limit=1e1.5'],
    ['a limit that is a list', 'limit=1&limit=2'],
    ['an unknown parameter', 'namespace=victim'],
    ['the prototype as a parameter', '__proto__=1'],
  ])('is refused with %s', async (_, query) => {
    const { status, text } = await raw(`${list}?${query}`);
    expect([status, text.includes('secret')]).toEqual([400, false]);
  });

  it.each<[string, Name, string]>([
    ['of another account', 'victims', '/v1/domains?'],
    ['of another account’s project of the same name', 'victimsProject', `${list}?`],
    ['of a project for the account', 'ownProject', '/v1/domains?'],
    ['of the account for a project', 'own', `${list}?`],
    ['of the account for its projects', 'own', '/v1/projects?'],
    ['of the account for its keys', 'own', '/v1/keys?'],
    ['of a filter for everything', 'ownFiltered', '/v1/domains?'],
    ['of everything for a filter', 'own', '/v1/domains?q=mine&'],
    ['of another filter', 'ownFiltered', '/v1/domains?q=secret&'],
    ['of another order', 'ownByAge', '/v1/domains?'],
    ['of the same order the other way', 'ownByAge', '/v1/domains?sort=-createdAt&'],
  ])('is refused with a real cursor %s', async (_, name, path) => {
    const { status, text } = await raw(`${path}cursor=${cursors[name]}`);
    expect([status, text.includes('secret')]).toEqual([400, false]);
  });

  it('is refused with a cursor of its own in which one character is another, or is missing', async () => {
    const { own } = cursors;
    expect((await raw(`/v1/domains?cursor=${own}`)).status).toBe(200);
    const changed = [...own].map((one, at) => `${own.slice(0, at)}${one === 'A' ? 'B' : 'A'}${own.slice(at + 1)}`);
    const cut = [1, 8, 20, own.length - 1].map((length) => own.slice(0, length));
    for (const given of [...changed, ...cut]) expect((await raw(`/v1/domains?cursor=${given}`)).status).toBe(400);
  });

  it.each([
    '',
    'q=secret',
    'label=customer:secret',
    'label=customer',
    'project=hidden',
    'project=victim%2Fshop',
    'state=unverified',
  ])('lists by /v1/domains?%s its own domains alone', async (query) => {
    const { status, text } = await raw(`/v1/domains?${query}`);
    expect(status).toBe(200);
    expect(text).not.toMatch(/secret\.example|"victim/);
    const { items, total } = JSON.parse(text) as { items: readonly unknown[]; total: unknown };
    expect(total).toEqual({ count: items.length, exact: true });
  });

  it.each(['DELETE', 'PATCH'])('changes nothing of another by %s', async (method) => {
    const before = api.cluster.written.length;
    for (const path of [
      '/v1/projects/hidden',
      '/v1/projects/shop/domains/secret.example.com',
      '/v1/projects/victim%2Fhidden',
    ])
      expect([400, 404]).toContain((await raw(path, method)).status);
    expect(api.cluster.written.length).toBe(before);
  });
});
