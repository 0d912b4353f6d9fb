import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Heard } from '../../browser/raw.ts';
import { listen } from '../../browser/raw.ts';
import type { Browser, MadeKey } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';

/** Whoever holds a key listens on after it was taken away. A stream ends with what opened it, by REST and dashboard. */

const part = attackPart();
let account: string;
let key: MadeKey;
let browser: Browser;
const heard: Heard[] = [];

beforeEach(async () => {
  account = part.fresh('account');
  part.api.account(account);
  key = part.api.key(account);
  browser = part.api.browser();
  await browser.signIn(key.key);
});

afterEach(() => heard.splice(0).forEach((one) => one.close()));

const known = () => {
  const object = part.api.stores.apiKeys.get({ namespace: '', name: key.name });
  if (!object) throw new Error('there is no such key');
  return object;
};

const put = (changes: object) =>
  part.api.stores.apiKeys.put({
    ...known(),
    ...changes,
    metadata: { ...known().metadata, resourceVersion: String(Date.now()) },
  });

const later = (ms: number) => new Date(Date.now() + ms).toISOString();

const ends: readonly [string, () => void | Promise<unknown>][] = [
  ['deleted', () => part.api.stores.apiKeys.drop(known())],
  ['deleted by REST', () => part.api.rest(key.key, `/v1/keys/${key.keyId}`, { method: 'DELETE' })],
  ['expired', () => put({ spec: { ...known().spec, expiresAt: later(1_000) } })],
  ['banned', () => banned()],
  ['deprived of the scope', () => put({ spec: { ...known().spec, scopes: ['keys:write'] } })],
];

async function banned(): Promise<void> {
  for (let count = 0; count < 60 + 1 + 50 + 20; count += 1) await part.api.rest(key.key, '/v1/account');
}

async function listening(path: string, headers: Readonly<Record<string, string>>): Promise<Heard> {
  const one = listen(`${part.api.url}${path}`, headers);
  heard.push(one);
  await eventually('the stream speaks', 5_000, () => Promise.resolve(expectThat(one.text() !== '', 'nothing yet')));
  return one;
}

const ended = (one: Heard) =>
  eventually('the stream ends', 8_000, () => Promise.resolve(expectThat(one.ended(), 'it goes on')));

describe('a stream of a key that is', () => {
  it.each(ends)('%s ends within seconds by REST', async (_, end) => {
    const path = `/v1/projects/shop/domains/www.${account}.example/events`;
    const one = await listening(path, { authorization: `Bearer ${key.key}` });
    await end();
    await ended(one);
  });

  it.each(ends)('%s ends within seconds on the dashboard', async (_, end) => {
    const path = '/dashboard/projects/shop/events?since=0';
    const one = await listening(path, { cookie: browser.cookie, 'user-agent': browser.agent });
    await end();
    await ended(one);
  });
});

describe('a stream of a session', () => {
  it('ends within seconds of the sign-out', async () => {
    const path = '/dashboard/projects/shop/events?since=0';
    const one = await listening(path, { cookie: browser.cookie, 'user-agent': browser.agent });
    expect((await browser.post('/dashboard/sign-out')).status).toBe(303);
    await ended(one);
  });
});
