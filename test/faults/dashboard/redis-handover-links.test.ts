import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { linkTokens, placeOf, createHandoverLinks } from '../../../src/dashboard/links/redis-handover-links.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { RedisConnection } from '../../../src/lib/redis/redis-client.ts';
import { connectRedis } from '../../../src/lib/redis/redis-client.ts';
import type { HandoverLinks } from '../../../src/use-cases/handover-links-port.ts';
import { HandoverLinksUnavailable, linkSecretBytes } from '../../../src/use-cases/handover-links-port.ts';
import type { TestRedis } from '../../support/redis.ts';
import { startRedis } from '../../support/redis.ts';
import { fromNow } from '../../support/from-now.ts';

/** Hand-over links in a real Redis that is also frozen, killed, emptied, and written to by somebody else. */

const secret = Buffer.alloc(32, 7);
const day = 86_400_000;
let server: TestRedis;
let redis: RedisConnection;
let links: HandoverLinks;
let now: number;
let forged: number;

const content = (uid = 'uid-1', expires = now + day) => ({
  ...{ account: 'acme', keyId: 'abcdefgh23456777', namespace: 'acme', name: 'www.example.com', uid },
  created: now,
  expires,
});

const drawn = () => randomBytes(linkSecretBytes);

async function make(uid = 'uid-1', expires = now + day) {
  const made = await links.create(content(uid, expires), drawn());
  if (made === null) throw new Error('the domain has as many links as it may have');
  return made;
}

const connected = () =>
  eventually('Redis answers', 10_000, async () => {
    await links.list('nothing');
    expectThat(true, '');
  });

const hashOf = (uid: string): string => `pd:links:{${placeOf(uid)}}`;

beforeAll(async () => {
  server = await startRedis();
});

beforeEach(async () => {
  now = fromNow(0);
  forged = 0;
  redis = connectRedis({ url: server.url, passwordFile: null, caFile: null }, silentLog);
  links = createHandoverLinks({ redis, secret, now: () => now, forged: () => (forged += 1) });
  await connected();
  await redis.flushall();
});

afterEach(() => redis.disconnect());

afterAll(() => server.stop());

describe('a link', () => {
  it('is found by its token until it is revoked', async () => {
    const { link, token } = await make();
    expect(await links.find(token)).toEqual({ ...content(), id: link.id });
    const sent = await links.create({ ...content(), from: 'Ada of Acme' }, drawn());
    expect(await links.find(sent?.token ?? '')).toEqual({ ...content(), from: 'Ada of Acme', id: sent?.link.id });
    await links.revoke('uid-1', sent?.link.id ?? '');
    expect(await links.revoke('uid-1', link.id)).toBe(true);
    expect(await links.find(token)).toBeNull();
    expect(await links.revoke('uid-1', link.id)).toBe(false);
  });

  it('is listed with the others of its domain, oldest first, and with none of another', async () => {
    const first = await make();
    now += 1;
    const second = await make();
    await make('uid-2');
    expect(await links.list('uid-1')).toEqual([first.link, second.link]);
  });

  it('ends at its time, though Redis still has it for the sake of a longer one', async () => {
    const short = await make('uid-1', now + day);
    const long = await make('uid-1', now + 30 * day);
    now += day;
    expect(await links.find(short.token)).toBeNull();
    expect(await links.list('uid-1')).toEqual([long.link]);
    expect(await redis.hlen(hashOf('uid-1'))).toBe(2);
    expect(forged).toBe(0);
  });

  it.each<[string, readonly number[], number]>([
    ['the only one', [1], 1],
    ['a longer one after a short one', [1, 30], 30],
    ['a short one after a longer one', [30, 1], 30],
  ])('is kept by Redis as long as the longest lasts: %s', async (_, days, expected) => {
    for (const count of days) await make('uid-1', now + count * day);
    expect(await redis.ttl(hashOf('uid-1'))).toBeGreaterThan(expected * 86_400 - 60);
    expect(await redis.ttl(hashOf('uid-1'))).toBeLessThanOrEqual(expected * 86_400);
  });

  it('is the same one when it is made again with the same secret, and takes no second place', async () => {
    const secret = drawn();
    const first = await links.create(content(), secret);
    for (let count = 1; count < 5; count += 1) await make();
    expect(await links.create(content(), secret)).toEqual(first);
    expect(await links.create(content(), drawn())).toBeNull();
    expect(await redis.hlen(hashOf('uid-1'))).toBe(5);
  });

  it('is not one more than five, even if fifty are made at once', async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => links.create(content(), drawn())));
    expect(made.filter((one) => one !== null)).toHaveLength(5);
    expect(await redis.hlen(hashOf('uid-1'))).toBe(5);
  });

  it('has the place of one that has expired, which is deleted', async () => {
    for (let count = 0; count < 5; count += 1) await make('uid-1', now + day);
    expect(await links.create(content('uid-1', now + 2 * day), drawn())).toBeNull();
    now += day;
    await make('uid-1', now + day);
    expect(await redis.hlen(hashOf('uid-1'))).toBe(1);
  });

  it('cannot be opened by whoever reads Redis', async () => {
    const { token } = await make();
    const everything = JSON.stringify([await redis.keys('*'), await redis.hgetall(hashOf('uid-1'))]);
    expect(everything).not.toContain(token.slice(20, 44));
    expect(everything).not.toContain(token.slice(44));
  });
});

describe('whoever writes to Redis', () => {
  it.each<[string, (text: string) => string]>([
    ['changes the account', (text) => text.replace('"account":"acme"', '"account":"evil"')],
    ['changes the domain', (text) => text.replace('www.example.com', 'api.example.com')],
    ['makes it last', (text) => text.replace(/"expires":\d+/, `"expires":${now + 99 * day}`)],
    ['makes it another key’s', (text) => text.replace('abcdefgh', 'zbcdefgh')],
    ['takes the MAC away', (text) => text.replace(/"mac":"[^"]*"/, '"mac":""')],
    ['takes a field away', (text) => text.replace('"uid":"uid-1",', '')],
    ['makes it no record', () => 'null'],
    ['makes it a list', () => '[1,2]'],
    ['makes it a fragment', (text) => text.slice(0, 20)],
    ['makes it huge', () => `"${'x'.repeat(100_000)}"`],
  ])('opens nothing and is counted when he %s', async (_, change) => {
    const { link, token } = await make();
    const text = (await redis.hget(hashOf('uid-1'), link.id)) ?? '';
    expect(change(text)).not.toBe(text);
    await redis.hset(hashOf('uid-1'), link.id, change(text));
    expect(await links.find(token)).toBeNull();
    expect(await links.list('uid-1')).toEqual([]);
    expect(forged).toBe(2);
  });

  it('opens nothing by a record that is real elsewhere: at another secret, and at another domain', async () => {
    const tokens = linkTokens(secret);
    const { link } = await make();
    const text = (await redis.hget(hashOf('uid-1'), link.id)) ?? '';
    for (const uid of ['uid-1', 'uid-2']) {
      const own = tokens.make(placeOf(uid), Buffer.alloc(linkSecretBytes, 3));
      await redis.hset(hashOf(uid), own.id, text);
      expect(await links.find(own.token)).toBeNull();
    }
    expect(forged).toBe(2);
  });

  it.each<[string, (text: string) => string]>([
    ['names another sender', (text) => text.replace('Ada', 'Eve')],
    ['takes the sender away', (text) => text.replace('"from":"Ada of Acme",', '')],
  ])('opens nothing where he %s', async (_, change) => {
    const made = await links.create({ ...content(), from: 'Ada of Acme' }, drawn());
    const id = made?.link.id ?? '';
    const text = (await redis.hget(hashOf('uid-1'), id)) ?? '';
    expect(change(text)).not.toBe(text);
    await redis.hset(hashOf('uid-1'), id, change(text));
    expect(await links.find(made?.token ?? '')).toBeNull();
  });

  it('makes no link that a domain of another installation had', async () => {
    const elsewhere = createHandoverLinks({
      redis,
      secret: Buffer.alloc(32, 8),
      now: () => now,
      forged: () => undefined,
    });
    const made = await elsewhere.create(content(), drawn());
    expect(await links.find(made?.token ?? '')).toBeNull();
    expect(forged).toBe(0);
    expect(await links.list('uid-1')).toEqual([]);
    expect(forged).toBe(1);
  });
});

describe('while Redis is away', () => {
  it('emptied, a link opens nothing', async () => {
    const { token } = await make();
    await redis.flushall();
    expect(await links.find(token)).toBeNull();
    expect(forged).toBe(0);
  });

  it('frozen, a look-up is refused in time and finds the link again afterwards', async () => {
    const { link, token } = await make();
    server.freeze();
    try {
      await expect(links.find(token)).rejects.toThrow(HandoverLinksUnavailable);
    } finally {
      server.thaw();
    }
    await connected();
    expect(await links.find(token)).toEqual(link);
  });

  it('killed, everything but a guess is refused, and goes on once it is back', async () => {
    const { token } = await make();
    await server.kill();
    await expect(links.find(token)).rejects.toThrow(HandoverLinksUnavailable);
    await expect(links.create(content(), drawn())).rejects.toThrow(HandoverLinksUnavailable);
    expect(await links.find(`${token.slice(0, 67)}${token.endsWith('A') ? 'B' : 'A'}`)).toBeNull();
    await server.start();
    await connected();
    expect(await links.find(token)).toBeNull();
    expect(await links.find((await make()).token)).not.toBeNull();
  });
});
