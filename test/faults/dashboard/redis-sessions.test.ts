import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { RedisConnection } from '../../../src/lib/redis/redis-client.ts';
import { connectRedis } from '../../../src/lib/redis/redis-client.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { Session, Sessions } from '../../../src/dashboard/sessions/sessions-port.ts';
import { SessionsUnavailable } from '../../../src/dashboard/sessions/sessions-port.ts';
import { createSessions, sessionTokens, textOfToken } from '../../../src/dashboard/sessions/redis-sessions.ts';
import type { TestRedis } from '../../support/redis.ts';
import { startRedis } from '../../support/redis.ts';
import { systemClock } from '../../../src/lib/clock.ts';

/** Sessions in a real Redis that is also frozen, killed and read by somebody else. */

let server: TestRedis;
let sessions: Sessions;
let redis: RedisConnection;

const session: Session = { account: 'acme', keyId: 'abcdefgh23456777', agent: 'hash' };

const secret = Buffer.alloc(32, 7);
const tokens = sessionTokens(secret);
/** Of no session, though the installation made it. */
const nobody = textOfToken(tokens.make(session.keyId, Buffer.alloc(16, 1)));

const connected = () =>
  eventually('Redis answers', 10_000, async () => {
    await sessions.find(nobody);
    expectThat(true, '');
  });

beforeAll(async () => {
  server = await startRedis();
});

beforeEach(async () => {
  redis = connectRedis({ url: server.url, passwordFile: null, caFile: null }, silentLog);
  sessions = createSessions({ redis, secret, now: systemClock.now, forged: () => undefined });
  await connected();
});

afterEach(() => redis.disconnect());

afterAll(() => server.stop());

describe('a session', () => {
  it('is found by its secret until it is ended', async () => {
    const token = await sessions.open(session);
    expect(await sessions.find(token)).toEqual(session);
    await sessions.end(token);
    expect(await sessions.find(token)).toBeNull();
  });

  it('has a secret of its own each time, which nobody guesses', async () => {
    const secrets = await Promise.all(Array.from({ length: 50 }, () => sessions.open(session)));
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(secret).toMatch(/^abcdefgh23456777\.[A-Za-z0-9_-]{43}$/);
  });

  it('ends after twelve hours unasked, and Redis holds nothing that signs in', async () => {
    const token = await sessions.open(session);
    const keys = await redis.keys('pd:sessions:*');
    const kept = await Promise.all(
      keys.map(async (key) => [key, await redis.hgetall(key), await redis.ttl(key)] as const),
    );
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(token.split('.')[1]);
    for (const [, , seconds] of kept) expect(seconds).toBeLessThanOrEqual(12 * 3_600);
    for (const [, , seconds] of kept) expect(seconds).toBeGreaterThan(0);
  });

  it.each([
    '',
    'short',
    'pd:session:*',
    '*'.repeat(43),
    'a'.repeat(44),
    `${nobody}a`,
    `${nobody}\n`,
    `*.${'a'.repeat(43)}`,
    `abcdefgh23456777.${'a'.repeat(43)}`,
    nobody.replace('abcdefgh', 'another1'),
    textOfToken(sessionTokens(Buffer.alloc(32, 8)).make(session.keyId, Buffer.alloc(16, 1))),
  ])('that nobody opened is not looked for by %j, so that a made-up cookie costs Redis nothing', async (token) => {
    redis.disconnect();
    expect(await sessions.find(token)).toBeNull();
    await sessions.end(token);
  });

  it('is looked for by a token that the installation made', async () => {
    redis.disconnect();
    await expect(sessions.find(nobody)).rejects.toThrow(SessionsUnavailable);
  });
});

describe('while Redis is away', () => {
  it('frozen, a look-up is refused in time and finds the session again afterwards', async () => {
    const token = await sessions.open(session);
    server.freeze();
    try {
      await expect(sessions.find(token)).rejects.toThrow(SessionsUnavailable);
    } finally {
      server.thaw();
    }
    await connected();
    expect(await sessions.find(token)).toEqual(session);
  });

  it('killed, everything is refused, and goes on once it is back', async () => {
    await server.kill();
    await expect(sessions.open(session)).rejects.toThrow(SessionsUnavailable);
    await expect(sessions.find(nobody)).rejects.toThrow(SessionsUnavailable);
    await server.start();
    await connected();
    expect(await sessions.find(await sessions.open(session))).toEqual(session);
  });
});
