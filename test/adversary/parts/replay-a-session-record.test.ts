import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { Browser, MadeKey } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';
import { fromNow } from '../../support/from-now.ts';

/**
 * Somebody who reads and writes Redis puts a real record of a victim's session where his own cookie leads. A record's
 * MAC covers the cookie it was made for, so it opens nothing anywhere else, and each try is counted.
 */

const part = attackPart();
let writer: Redis;
let victim: MadeKey;
let own: MadeKey;

beforeAll(() => {
  writer = new Redis(part.redis.url);
  for (const name of ['victim', 'thief']) part.api.account(name);
  victim = part.api.key('victim');
  own = part.api.key('thief');
});

afterAll(() => writer.disconnect());

const sessionsOf = ({ keyId }: MadeKey): string => `pd:sessions:{${keyId}}`;
const fieldOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

async function signedIn({ key }: MadeKey): Promise<Browser> {
  const browser = part.api.browser();
  await browser.signIn(key);
  return browser;
}

const statusOf = async (cookie: string): Promise<number> => {
  const browser = part.api.browser();
  browser.cookie = cookie;
  return (await browser.get('/dashboard/plan')).status;
};

const tokenOf = ({ cookie }: Browser): string => cookie.split('=')[1] ?? '';

describe('whoever copies the record of a victim’s session', () => {
  it.each<[string, (record: string, browser: Browser) => Promise<string>]>([
    [
      'under his own cookie',
      async (record, browser) => {
        const [, secret = ''] = tokenOf(browser).split('.');
        await writer.hset(sessionsOf(own), fieldOf(secret), record);
        return browser.cookie;
      },
    ],
    [
      'among the victim’s sessions under a cookie of the victim’s that has ended',
      async (record) => {
        const browser = await signedIn(victim);
        const [, secret = ''] = tokenOf(browser).split('.');
        await writer.hset(sessionsOf(victim), fieldOf(secret), record);
        return browser.cookie;
      },
    ],
  ])('%s is signed in as nobody, and is counted', async (_, copy) => {
    await signedIn(victim);
    const browser = await signedIn(own);
    const [record = ''] = Object.values(await writer.hgetall(sessionsOf(victim)));
    expect(record).not.toBe('');
    const before = part.api.forgeries();
    const cookie = await copy(record, browser);
    expect(await statusOf(cookie)).toBe(401);
    expect(part.api.forgeries()).toBeGreaterThan(before);
  });

  it('is asked for no record by a cookie of his own making', async () => {
    await signedIn(victim);
    const [record = ''] = Object.values(await writer.hgetall(sessionsOf(victim)));
    const secret = 's'.repeat(43);
    await writer.hset(sessionsOf(victim), fieldOf(secret), record);
    const before = part.api.forgeries();
    expect(await statusOf(`__Host-projectdomain=${victim.keyId}.${secret}`)).toBe(401);
    expect(part.api.forgeries()).toBe(before);
  });

  it('does not bring back a session whose end has come, though the record stays', async () => {
    const browser = await signedIn(victim);
    const [, secret = ''] = tokenOf(browser).split('.');
    const text = (await writer.hget(sessionsOf(victim), fieldOf(secret))) ?? '{}';
    const old = { ...(JSON.parse(text) as object), created: 0, expires: fromNow(-1) };
    await writer.hset(sessionsOf(victim), fieldOf(secret), JSON.stringify(old));
    expect(await statusOf(browser.cookie)).toBe(401);
  });

  it('reads no cookie out of Redis', async () => {
    const browser = await signedIn(victim);
    const everything = JSON.stringify(await writer.hgetall(sessionsOf(victim)));
    expect(everything).not.toContain(tokenOf(browser).split('.')[1]);
  });
});
