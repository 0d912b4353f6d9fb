import { afterAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Heard } from '../../browser/raw.ts';
import { listen } from '../../browser/raw.ts';
import type { Browser, MadeKey } from '../../support/attack-api.ts';
import { untilBanned } from '../../support/until-banned.ts';
import { attackPart } from '../../support/attack-part.ts';
import { fromNow } from '../../support/from-now.ts';

/** Whoever holds a key listens on after it was taken away. A stream ends with what opened it, by REST and dashboard. */

const part = attackPart();
const heard: Heard[] = [];

interface Visitor {
  readonly account: string;
  readonly key: MadeKey;
  readonly browser: Browser;
}

/** Of an account of its own, signed in. */
async function visitor(): Promise<Visitor> {
  const account = part.fresh('account');
  part.api.account(account);
  const key = part.api.key(account);
  const browser = part.api.browser();
  await browser.signIn(key.key);
  return { account, key, browser };
}

afterAll(() => heard.forEach((one) => one.close()));

const known = ({ name }: MadeKey) => {
  const object = part.api.stores.apiKeys.get({ namespace: '', name });
  if (!object) throw new Error('there is no such key');
  return object;
};

/** Above those that the API on stores gives. */
let versions = 1_000_000;

const put = (key: MadeKey, changes: object) =>
  part.api.stores.apiKeys.put({
    ...known(key),
    ...changes,
    metadata: { ...known(key).metadata, resourceVersion: String((versions += 1)) },
  });

const later = (ms: number) => new Date(fromNow(ms)).toISOString();

const ends: readonly [string, (key: MadeKey) => void | Promise<unknown>][] = [
  ['deleted', (key) => part.api.stores.apiKeys.drop(known(key))],
  ['deleted by REST', (key) => part.api.rest(key.key, `/v1/keys/${key.keyId}`, { method: 'DELETE' })],
  ['expired', (key) => put(key, { spec: { ...known(key).spec, expiresAt: later(1_000) } })],
  ['banned', (key) => banned(key)],
  ['deprived of the scope', (key) => put(key, { spec: { ...known(key).spec, scopes: ['keys:write'] } })],
];

const banned = ({ key }: MadeKey) => untilBanned(() => part.api.rest(key, '/v1/account'));

async function listening(path: string, headers: Readonly<Record<string, string>>): Promise<Heard> {
  const one = listen(`${part.api.url}${path}`, headers);
  heard.push(one);
  await eventually('the stream speaks', 5_000, () => Promise.resolve(expectThat(one.text() !== '', 'nothing yet')));
  return one;
}

const ended = (one: Heard) =>
  eventually('the stream ends', 8_000, () => Promise.resolve(expectThat(one.ended(), 'it goes on')));

const onDashboard = ({ browser }: Visitor) =>
  listening('/dashboard/projects/shop/events?since=0', { cookie: browser.cookie, 'user-agent': browser.agent });

/** All at once, for each stream looks after its key by a clock of its own. */
describe('a stream of a key that is', () => {
  it.concurrent.each(ends)('%s ends within seconds by REST', async (_, end) => {
    const { account, key } = await visitor();
    const path = `/v1/projects/shop/domains/www.${account}.example/events`;
    const one = await listening(path, { authorization: `Bearer ${key.key}` });
    await end(key);
    await ended(one);
  });

  it.concurrent.each(ends)('%s ends within seconds on the dashboard', async (_, end) => {
    const someone = await visitor();
    const one = await onDashboard(someone);
    await end(someone.key);
    await ended(one);
  });
});

describe('a stream of a session', () => {
  it('ends within seconds of the sign-out', async () => {
    const someone = await visitor();
    const one = await onDashboard(someone);
    expect((await someone.browser.post('/dashboard/sign-out')).status).toBe(303);
    await ended(one);
  });
});
