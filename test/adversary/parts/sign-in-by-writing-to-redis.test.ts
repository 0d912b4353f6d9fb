import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { Browser, MadeKey } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';
import { fromNow } from '../../support/from-now.ts';

/**
 * Somebody who may write to Redis, and to nothing else, makes sessions of a victim's account. Every record carries a MAC
 * that only the API can make, over all of it and the cookie it belongs to.
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

const digest = (text: string, encoding: 'hex' | 'base64url') => createHash('sha256').update(text).digest(encoding);

async function statusWith({ agent }: Pick<Browser, 'agent'>, cookie: string): Promise<number> {
  const browser = part.api.browser('127.0.0.1', agent);
  browser.cookie = cookie;
  return (await browser.get('/dashboard/plan')).status;
}

/** Every session record in Redis, with how to write another in its place. */
async function records(): Promise<readonly { text: string; write: (text: string) => Promise<unknown> }[]> {
  const names = (await writer.keys('pd:*')).toSorted();
  const found = await Promise.all(
    names.map(async (name) => {
      if ((await writer.type(name)) === 'string')
        return [{ text: (await writer.get(name)) ?? '', write: (text: string) => writer.set(name, text, 'EX', 600) }];
      const fields = Object.entries(await writer.hgetall(name));
      return fields.map(([field, text]) => ({ text, write: (next: string) => writer.hset(name, field, next) }));
    }),
  );
  return found.flat();
}

describe('whoever writes to Redis', () => {
  it.each<[string, (secret: string, record: string) => Promise<unknown>]>([
    ['under the hash of a secret', (secret, record) => writer.set(`pd:session:${digest(secret, 'hex')}`, record)],
    [
      'among the sessions of the key',
      (secret, record) => writer.hset(`pd:sessions:{${victim.keyId}}`, digest(secret, 'base64url'), record),
    ],
  ])('signs in as nobody by a record of his own making %s', async (_, write) => {
    const secret = randomBytes(32).toString('base64url');
    const agent = 'Mozilla/5.0';
    const now = fromNow(0);
    const record = { account: 'victim', keyId: victim.keyId, agent: digest(agent, 'base64url'), created: now };
    await write(secret, JSON.stringify({ ...record, expires: now + 3_600_000, mac: 'A'.repeat(43) }));
    for (const cookie of [secret, `${victim.keyId}.${secret}`])
      expect(await statusWith({ agent }, `__Host-projectdomain=${cookie}`)).not.toBe(200);
  });

  it.each<[string, (record: Record<string, unknown>) => Record<string, unknown>]>([
    ['makes his own session the victim’s', (record) => ({ ...record, account: 'victim', keyId: victim.keyId })],
    ['changes the key alone', (record) => ({ ...record, keyId: victim.keyId })],
    ['makes it last', (record) => ({ ...record, expires: Number.MAX_SAFE_INTEGER })],
    ['lets another browser in', (record) => ({ ...record, agent: digest('another', 'base64url') })],
    ['takes the MAC away', ({ mac: _, ...record }) => record],
    ['shortens the MAC', (record) => ({ ...record, mac: '' })],
    ['makes it no record', () => ({ toString: 1 })],
  ])('ends the session and signs in as nobody when he %s', async (_, change) => {
    await writer.flushall();
    const browser = part.api.browser();
    await browser.signIn(own.key);
    const [record] = await records();
    await record?.write(JSON.stringify(change(JSON.parse(record.text) as Record<string, unknown>)));
    const { status } = await browser.get('/dashboard/plan');
    expect(status).toBe(401);
    expect(await statusWith({ agent: 'another' }, browser.cookie)).not.toBe(200);
  });

  it.each(['', '{', 'null', '[]', '"text"', '{"mac":{}}', 'x'.repeat(100_000)])(
    'makes nothing worse than a sign-in page by the record %.20j',
    async (text) => {
      await writer.flushall();
      const browser = part.api.browser();
      await browser.signIn(own.key);
      const [record] = await records();
      await record?.write(text);
      expect((await browser.get('/dashboard/plan')).status).toBe(401);
    },
  );
});
