import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { Browser } from '../../support/attack-api.ts';
import { attackPart } from '../../support/attack-part.ts';

/**
 * A customer signs in over and over with one key, to have budgets and memory without end. A key has twenty sessions,
 * the oldest ends when one more begins, and it signs in twenty times a minute.
 */

const part = attackPart();
let reader: Redis;

beforeAll(() => {
  reader = new Redis(part.redis.url);
});

afterAll(() => reader.disconnect());

async function sessionsInRedis(): Promise<number> {
  const names = await reader.keys('pd:session*');
  const sizes = await Promise.all(
    names.map(async (name) => ((await reader.type(name)) === 'hash' ? reader.hlen(name) : 1)),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe('whoever signs in fifty times', () => {
  it('has no more than twenty sessions in Redis, each with an end', async () => {
    const account = part.fresh('account');
    part.api.account(account);
    const { key } = part.api.key(account);
    let entered = 0;
    for (let count = 0; count < 50; count += 1) {
      if ((await part.api.browser().signIn(key)).status === 303) entered += 1;
    }
    expect(entered).toBeLessThanOrEqual(40);
    expect(await sessionsInRedis()).toBeLessThanOrEqual(20);
    for (const name of await reader.keys('pd:session*')) expect(await reader.ttl(name)).toBeGreaterThan(0);
  });

  it('ends the oldest of them, and keeps the newest', async () => {
    await reader.flushall();
    const account = part.fresh('account');
    part.api.account(account, { requestsPerMinute: 1_000 });
    const { keyId, key } = part.api.key(account);
    const session = { account, keyId, agent: 'hash' };
    const tokens: string[] = [];
    for (let count = 0; count < 25; count += 1) tokens.push(await part.api.sessions.open(session));
    const found = await Promise.all(tokens.map((token) => part.api.sessions.find(token)));
    expect(found.map((seen) => seen !== null)).toEqual(Array.from({ length: 25 }, (_, index) => index >= 5));
    const browser: Browser = part.api.browser();
    expect((await browser.signIn(key)).status).toBe(303);
    expect((await browser.get('/dashboard/plan')).status).toBe(200);
  });

  it('has no more than twenty when all begin at once', async () => {
    await reader.flushall();
    const session = { account: 'any', keyId: 'abcdefgh23456777', agent: 'hash' };
    await Promise.all(Array.from({ length: 200 }, () => part.api.sessions.open(session)));
    expect(await sessionsInRedis()).toBe(20);
  });
});
