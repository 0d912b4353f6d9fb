import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Rest } from '../../../dev/lib/rest.ts';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';

/**
 * Texts that one reader takes for a hostname and another for something else: wildcards, addresses, letters that look alike,
 * control characters, several spellings of one name. Capitals, a final dot and Unicode are taken, every hostname has one spelling in what is made and answered, and
 * any other text is refused.
 */

let api: ApiOnStores;
let rest: Rest;

beforeAll(async () => {
  api = await startApiOnStores();
  rest = api.account('trickster', 'pro');
});

afterAll(() => api.stop());

const label63 = 'a'.repeat(63);

const tricks: readonly [what: string, hostname: string][] = [
  ['a wildcard', '*.example.com'],
  ['a wildcard in the middle', 'a.*.example.com'],
  ['a wildcard within a label', 'w*w.example.com'],
  ['a bare star', '*'],
  ['an IPv4 address', '203.0.113.10'],
  ['an IPv4 address with a port', '203.0.113.10:80'],
  ['an IPv4 address as one number', '3405803786'],
  ['an IPv4 address in hexadecimal', '0xcb.0x0.0x71.0xa'],
  ['an IPv4 address in octal', '0313.0.0161.012'],
  ['an IPv4 address in two parts', '127.1'],
  ['an IPv4 address in letters of full width', '１２７.0.0.1'],
  ['an IPv6 address', '2001:db8::1'],
  ['an IPv6 address in brackets', '[2001:db8::1]'],
  ['a name that ends in a number', 'example.1'],
  ['a name that ends in a hexadecimal number', 'example.0x7f'],
  ['the zone of reverse look-ups by address', '10.113.0.203'],
  ['two dots at the end', 'www.example.com..'],
  ['an empty label', 'www..example.com'],
  ['a dot at the beginning', '.example.com'],
  ['a single label', 'localhost'],
  ['a public suffix', 'co.uk'],
  ['a private suffix', 'github.io'],
  ['an ideographic full stop for a dot', 'www。example.com'],
  ['a full stop of full width for a dot', 'www．example.com'],
  ['a soft hyphen', 'exam\u00ADple.com'],
  ['a joiner of no width', 'exam\u200Dple.com'],
  ['a mark that writes from right to left', '\u202Eexample.com'],
  ['a null character', 'www.example.com\0.apps.example.net'],
  ['a line break', 'www.example.com\r\nX-Injected: 1'],
  ['a space', 'www.example.com '],
  ['a tab', 'www\t.example.com'],
  ['an escape sequence', '\u001B[31mwww.example.com'],
  ['a percent sign', 'www%2eexample.com'],
  ['an underscore', '_acme-challenge.example.com'],
  ['a hyphen at the beginning', '-www.example.com'],
  ['a hyphen at the end', 'www-.example.com'],
  ['an A-label that decodes to nothing', 'xn--.example.com'],
  ['an A-label that cannot be decoded', 'xn--\u0061\u0061\u0061\u0061-.example.com'],
  ['a label of 64 characters', `${'a'.repeat(64)}.example.com`],
  ['254 characters', `${[label63, label63, label63].join('.')}.${'b'.repeat(62)}`],
  ['100,000 characters', 'a.'.repeat(30_000)],
  ['a user and a host', 'admin@example.com'],
  ['an address of the web', 'https://www.example.com/'],
  ['a path', 'www.example.com/../..'],
  ['a backslash', 'www.example.com\\@victim.example'],
  ['a template of a shell', '$(id).example.com'],
  ['a rule of Traefik', 'a`) || Host(`victim.example'],
  ['nothing', ''],
];

describe('no domain is made of', () => {
  it.each(tricks)('%s', async (_, hostname) => {
    const add = await rest('/v1/projects/shop/domains', { method: 'POST', body: { hostname } });
    expect([add.status, add.body.code]).toEqual([422, 'invalid-hostname']);
    const redirect = { hostname: 'a.example.org', role: 'redirect', redirect: { to: hostname } };
    const to = await rest('/v1/projects/shop/domains', { method: 'POST', body: redirect });
    expect(to.status).toBe(422);
    expect(api.cluster.written).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['a number', 3_405_803_786],
    ['a list', ['www.example.com']],
    ['an object', { toString: 'www.example.com' }],
    ['null', null],
  ])('%s in place of a text', async (_, hostname) => {
    expect((await rest('/v1/projects/shop/domains', { method: 'POST', body: { hostname } })).status).toBe(400);
    expect(api.cluster.written).toEqual([]);
  });
});

/** What is written in another way that people write hostnames in, and the one spelling of it. */
const spellings: readonly [what: string, typed: string, hostname: string][] = [
  ['capital letters', 'WWW.Example.com', 'www.example.com'],
  ['a dot at the end', 'www.example.com.', 'www.example.com'],
  ['Unicode', 'Bücher.example', 'xn--bcher-kva.example'],
  ['letters with marks of their own', 'Bu\u0308cher.example', 'xn--bcher-kva.example'],
  ['a Cyrillic letter that looks Latin', 'еxample.com', 'xn--xample-2of.com'],
  ['an A-label in capitals', 'XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
  ...['www.example.com', 'xn--bcher-kva.example', `${label63}.example.com`, '1.example.com', 'a--b.example.com'].map(
    (hostname): [string, string, string] => [hostname, hostname, hostname],
  ),
];

describe('a domain is made of', () => {
  it.each(spellings)('%s, and has one spelling', async (_, typed, hostname) => {
    const dry = await rest('/v1/projects/shop/domains?dryRun=true', { method: 'POST', body: { hostname: typed } });
    expect([dry.status, dry.body.hostname]).toEqual([200, hostname]);
  });

  it.each([
    ['capital letters', 'WWW.APPS.Example.NET'],
    ['a dot at the end', 'www.apps.example.net.'],
    ['another spelling in Unicode', 'www.ａpps.example.net'],
  ])('nothing below the platform’s own domain, written with %s', async (_, hostname) => {
    const dry = await rest('/v1/projects/shop/domains?dryRun=true', { method: 'POST', body: { hostname } });
    expect([dry.status, dry.body.code]).toEqual([422, 'invalid-hostname']);
  });
});
