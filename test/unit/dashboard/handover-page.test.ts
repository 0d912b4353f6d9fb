import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { linkTokens, placeOf } from '../../../src/dashboard/links/redis-handover-links.ts';
import { linkSecretBytes } from '../../../src/use-cases/handover-links-port.ts';
import type { Ask, Limiter } from '../../../src/quota/quota-port.ts';
import { handoverPath } from '../../../src/rules/handover-path.ts';
import type { RawAnswer, RawCall } from '../../browser/raw.ts';
import { askRaw } from '../../browser/raw.ts';
import type { DashboardOnStores } from '../../support/dashboard-on-stores.ts';
import { agent, cookie, startDashboardOnStores } from '../../support/dashboard-on-stores.ts';
import { fromNow } from '../../support/from-now.ts';
import { makeLink, waiting } from '../../support/handover.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** The page that a hand-over link opens, over HTTP: what is on it, what is not, and what opens it. */

const hostname = 'www.customer.example';
const account = 'account-of-customer';
let api: InMemoryApi;
let key: string;
let dashboard: DashboardOnStores;
let token: string;
let refused: RegExp | null;
let budgets: Ask[];

const limited = (limiter: Limiter): Limiter => ({
  ...limiter,
  async decide(ask) {
    budgets.push(ask);
    const decision = await limiter.decide(ask);
    return refused?.test(ask.budget) ? { ...decision, kind: 'limited', retryAfter: 17 } : decision;
  },
});

beforeEach(async () => {
  refused = null;
  budgets = [];
  api = createInMemoryApi();
  key = api.account(account, 'business');
  api.project(account, 'secret-project');
  api.domain(account, hostname, waiting('secret-project', hostname));
  api.domain(account, 'another.customer.example', waiting('secret-project', 'another.customer.example'));
  api.key(account, ['domains:read']);
  dashboard = await startDashboardOnStores(api, { limiter: limited(api.dependencies.limiter) });
  ({ token } = await makeLink(api, key, hostname));
});
afterEach(() => dashboard.stop());

const ask = (path: string, call: RawCall = {}): Promise<RawAnswer> => askRaw(`${dashboard.url}${path}`, call);
const open = (call: RawCall = {}) => ask(handoverPath(token), call);
const openOther = (other: string) => ask(handoverPath(other));
const shownText = (page: string): string => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

/** Names and targets as they are read: their lines may be broken at dots. */
const asOneWord = (body: string): string =>
  body.replaceAll('<wbr>', '').replaceAll(/<span class="label">([^<]*)<\/span>/g, '$1');

describe('the page of a link', () => {
  it('shows every record with its status, what to delete, and what to copy', async () => {
    const { status, body } = await open();
    expect(status).toBe(200);
    const target = /p-[a-z2-7]{26}\.cname\.apps\.example\.net/.exec(body)?.[0] ?? 'none';
    const shown = shownText(asOneWord(body));
    for (const part of [
      'CNAME',
      'Target',
      target,
      'A',
      '192.0.2.7',
      'CAA',
      '0 issue',
      'Cloudflare',
      '3 changes to make',
    ])
      expect(shown).toContain(part);
    expect(body).toContain(`data-copy="${target}"`);
    expect(body).toContain('data-copy="www"');
    expect(body).toContain('record-status unknown');
  });

  it('says in whose name it is sent, in the sender’s own words, escaped; and nobody’s where none is given', async () => {
    expect(shownText((await open()).body)).toContain('Please change these DNS records, so that');
    const { link } = await makeLink(api, key, hostname);
    const from = '<b>Ada</b> of "Acme" \u202Eeman';
    await api.handoverLinks.revoke(link.uid, link.id);
    const made = await api.handoverLinks.create({ ...link, from }, randomBytes(linkSecretBytes));
    const { body } = await openOther(made?.token ?? '');
    expect(body).toContain('“&lt;b&gt;Ada&lt;/b&gt; of &quot;Acme&quot; ');
    expect(body).not.toContain('\u202E');
    expect(shownText(body)).toContain('asks you to change these DNS records');
  });

  it('goes by steps: first what to delete, then what to add, whose name comes before its value; and says why and what comes of it', async () => {
    const { body } = await open();
    const shown = shownText(asOneWord(body));
    const order = [
      '1. Delete this A record',
      '192.0.2.7',
      '2. Add this CNAME record',
      'Name',
      'Copy name',
      'Target',
      'Copy value',
    ];
    const places = order.map((part, at) => shown.indexOf(part, at === 0 ? 0 : shown.indexOf(order[at - 1] ?? '')));
    expect(places.every((place, at) => place > (places[at - 1] ?? 0))).toBe(true);
    expect(shown).toContain('Why, and what happens next');
    expect(shown).toContain('We look for them automatically.');
  });

  it('has nothing else of the account: no name, plan, project, key, history, other domain, way in or form', async () => {
    const { body } = await open();
    const { keyId = '', sha256 = '' } = api.as(key).caller.apiKey.spec;
    const everything = [
      ...[account, 'business', 'secret-project', 'another', keyId, sha256, key, token, 'it waits since then'],
      ...['an address is there', 'Unverified', 'StrayAddress', 'shop', `id-of-${account}`],
      ...api.stores.domains.list().map(({ metadata }) => metadata.uid ?? ''),
      ...api.stores.projects.list().map(({ status }) => status?.platformHostname ?? ''),
      ...api.stores.apiKeys.list().map(({ spec }) => spec.keyId ?? ''),
    ];
    for (const part of everything) expect([part, body.includes(part)]).toEqual([part, false]);
    const links = [...body.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, to = '']) => to);
    expect(links.filter((to) => !/^(#main|\/dashboard\/assets\/[0-9a-f]{12}\/[a-z.]+)?$/.test(to))).toEqual([]);
    expect(body).not.toMatch(/<(form|input|select|nav)\b/);
  });

  it('is the same for somebody who is signed in, for whom no session is looked up', async () => {
    const signedIn = await open({ headers: { cookie, 'user-agent': agent } });
    expect(signedIn.status).toBe(200);
    expect(signedIn.body).toBe((await open()).body);
    expect(dashboard.sessionsAsked()).toBe(0);
    expect((await ask('/dashboard/projects', { headers: { cookie, 'user-agent': agent } })).status).toBe(200);
    expect(dashboard.sessionsAsked()).toBe(1);
  });

  it.each([
    ['referrer-policy', 'no-referrer'],
    ['cache-control', 'no-store'],
    ['x-robots-tag', 'noindex, nofollow'],
    ['x-frame-options', 'DENY'],
    ['x-content-type-options', 'nosniff'],
    ['set-cookie', undefined],
  ])('has the header %s: %s, whether it opens or not', async (name, value) => {
    for (const path of [handoverPath(token), handoverPath('none'), `${handoverPath(token)}/`])
      expect((await ask(path)).headers[name]).toEqual(value);
  });

  it('says that everything is in place once it is', async () => {
    const domain = api.stores.domains.get({ namespace: account, name: hostname });
    const record = /p-[a-z2-7]{26}\.cname\.apps\.example\.net/.exec((await open()).body)?.[0];
    const found = { type: 'CNAME', name: 'www', fqdn: hostname, value: record, ttl: 3600, status: 'Found', found: [] };
    api.put({ ...domain, status: { ...domain?.status, records: [found], issues: [] } });
    const { body } = await open();
    expect(shownText(body)).toContain('Everything is in place');
    expect(body).not.toMatch(/class="[^"]*\bmain\b/);
  });
});

const foreign = linkTokens(Buffer.alloc(32, 9));
const cut = (length: number) => (given: string) => given.slice(0, length);
const flip = (at: number) => (given: string) =>
  given.slice(0, at) + (given[at] === 'A' ? 'B' : 'A') + given.slice(at + 1);
const encoded = (given: string) => `%${(given.codePointAt(0) ?? 0).toString(16)}${given.slice(1)}`;

describe('what is no link', () => {
  it.each<[string, (token: string) => string]>([
    ['nothing', () => ''],
    ['half a token', cut(34)],
    ['a token without its last character', cut(67)],
    ['a token with one character more', (given) => `${given}A`],
    ['a token with another place', flip(3)],
    ['a token with another secret', flip(30)],
    ['a token with another signature', flip(60)],
    ['a token whose last character differs', flip(67)],
    ['a token of another installation', () => foreign.make(placeOf('uid'), Buffer.alloc(linkSecretBytes, 1)).token],
    ['a signed token for a link that never was', (given) => signed(given.slice(0, 20))],
    ['a token in percent-encoding', encoded],
    ['a token in double percent-encoding', (given) => encoded(given).replace('%', '%25')],
    ['an encoding that is none', (given) => `%E0%A4%A${given}`],
    ['a token and a slash', (given) => `${given}/`],
    ['a token below a token', (given) => `${given}/${given}`],
    ['a token and a file', (given) => `${given}/records.json`],
    ['a token behind a slash', (given) => `/${given}`],
    ['a token behind encoded dots', (given) => `x/..%2F${given}`],
    ['a huge token', (given) => given.repeat(100)],
    ['a token with a line in it', (given) => `${given}%0A`],
    ['a token with nothing in it', (given) => `${given}%00`],
  ])('gets the one page for all of them: %s', async (_, change) => {
    const none = await ask(handoverPath('none'));
    const { status, body } = await ask(handoverPath(change(token)));
    expect(status).toBe(404);
    expect(body).toBe(none.body);
    expect(body).toContain('This link doesn’t work');
  });

  it.each<[string, () => unknown]>([
    ['expired', async () => ({ token } = await makeLink(api, key, hostname, fromNow(-1)))],
    [
      'was revoked',
      async () => {
        const { link, ...made } = await makeLink(api, key, hostname);
        await api.handoverLinks.revoke(link.uid, link.id);
        ({ token } = made);
      },
    ],
    [
      'ended with its domain',
      () => {
        const domain = api.stores.domains.get({ namespace: account, name: hostname });
        if (domain) api.stores.domains.drop(domain);
      },
    ],
  ])('gets the same page where the link %s', async (_, end) => {
    await end();
    expect(await open()).toMatchObject({ status: 404, body: (await ask(handoverPath('none'))).body });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('is opened by no %s', async (method) => {
    const { status, headers, body } = await open({ method });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    expect(body).not.toContain(hostname);
  });

  it('is told by HEAD as by GET, without a body', async () => {
    expect(await open({ method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    expect(await ask(handoverPath('none'), { method: 'HEAD' })).toMatchObject({ status: 404, body: '' });
  });
});

const signed = (place: string): string =>
  linkTokens(Buffer.alloc(32, 1)).make(place, Buffer.alloc(linkSecretBytes, 5)).token;

describe('whoever looks', () => {
  it('spends the budget of the address and that of the link, and none of the account', async () => {
    await open();
    expect(budgets.map(({ budget, spend }) => [budget.split(':')[0], spend])).toEqual([
      ['ip', 1],
      ['hl', 1],
    ]);
  });

  it('by a guess spends that of the address alone', async () => {
    await ask(handoverPath('none'));
    expect(budgets.map(({ budget }) => budget)).toEqual(['ip:127.0.0.1']);
  });

  it.each([
    ['the address has', /^ip:/],
    ['the link has', /^hl:/],
  ])('too often is told when to come back: %s no budget left', async (_, budget) => {
    refused = budget;
    const { status, headers, body } = await open();
    expect([status, headers['retry-after']]).toEqual([429, '17']);
    expect(shownText(body)).toContain('Try again in 17 seconds.');
    expect(body).not.toContain(hostname);
  });

  it('while the store is away is told that the link is fine, and sees nothing', async () => {
    api.handoverLinks.beAway(true);
    const { status, headers, body } = await open();
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(shownText(body)).toContain('The link is fine');
    expect(body).not.toContain(hostname);
  });
});

describe('a token', () => {
  it('is in no log line, metric or answer, however its address is mistyped', async () => {
    const paths = [
      handoverPath(token),
      `${handoverPath(token)}/`,
      `${handoverPath(token)}?${token}`,
      handoverPath(token.slice(0, 60)),
      handoverPath(`%E0%A4%A${token}`),
      `/dashboard/record/${token}`,
      `/dashboard/Records/${token}`,
      `/dashboard/%72ecords/${token}`,
      `/Dashboard/records/${token}`,
      `/v1/${token}`,
      `/${token}`,
    ];
    for (const path of paths)
      for (const method of ['GET', 'POST'])
        expect((await ask(path, { method })).body).not.toContain(token.slice(0, 30));
    api.handoverLinks.find = () => Promise.reject(new Error(`a fault at https://host${handoverPath(token)}`));
    expect((await open()).status).toBe(500);
    const told = await dashboard.told();
    expect(told).toContain('"route":"dashboardHandover"');
    expect(told).toContain('a request failed');
    expect(told).not.toContain(token.slice(0, 30));
    expect(told).not.toContain(token.slice(30));
  });
});
