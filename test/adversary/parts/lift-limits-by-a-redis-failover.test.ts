import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from '../../../dev/lib/eventually.ts';
import type { AttackApi, MadeKey } from '../../support/attack-api.ts';
import { startAttackApi } from '../../support/attack-api.ts';
import { createForwarder, type Forwarder } from '../../support/forwarder.ts';
import type { TestRedis } from '../../support/redis.ts';
import { startRedis } from '../../support/redis.ts';

/**
 * A customer asks on while Redis changes places: its primary becomes a replica and the address leads to another. Each
 * process counts alone meanwhile and goes over to the new primary within two seconds; nothing waits, fails or is free.
 */

let servers: TestRedis[];
let address: Forwarder;
let api: AttackApi;
let key: MadeKey;

beforeEach(async () => {
  servers = [await startRedis(), await startRedis()];
  address = await createForwarder((servers[0] as TestRedis).port);
  api = await startAttackApi({ url: `redis://127.0.0.1:${address.port}`, passwordFile: null, caFile: null });
  api.account('acme', { requestsPerMinute: 100 });
  key = api.key('acme');
  const [first, second] = servers as [TestRedis, TestRedis];
  await command(second, (redis) => redis.call('REPLICAOF', '127.0.0.1', first.port));
});

afterEach(async () => {
  await api.close();
  await address.close();
  await Promise.all(servers.map((server) => server.stop()));
});

async function command(server: TestRedis, run: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(server.url);
  await run(redis);
  redis.disconnect();
}

interface Seen {
  readonly status: number;
  readonly ms: number;
}

async function ask(): Promise<Seen> {
  const startedAt = performance.now();
  const { status } = await api.rest(key.key, '/v1/account');
  return { status, ms: performance.now() - startedAt };
}

/** Decides by Redis again: milliseconds until then. */
async function untilShared(): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < 10_000) {
    const limits = { perMinute: 1_000, perDay: null };
    const look = { budget: 'a:look', key: null, limits, liftedAt: null, spend: 1 } as const;
    if (!(await api.limiter.decide(look)).degraded) return performance.now() - startedAt;
    await sleep(20);
  }
  return Number.POSITIVE_INFINITY;
}

describe('whoever asks on while the primary becomes a replica', () => {
  it.each<[string, (first: TestRedis, second: TestRedis) => Promise<void>]>([
    ['and its connections stay', () => Promise.resolve()],
    ['and its connections are cut', () => Promise.resolve(address.cut())],
    [
      'which is then frozen',
      (first) => {
        first.freeze();
        return Promise.resolve();
      },
    ],
  ])(
    '%s gets no more than the limit and no error, and all count together again within two seconds',
    async (_, also) => {
      const [first, second] = servers as [TestRedis, TestRedis];
      const seen: Seen[] = [];
      for (let count = 0; count < 40; count += 1) seen.push(await ask());
      await command(second, (redis) => redis.call('REPLICAOF', 'NO', 'ONE'));
      await command(first, (redis) => redis.call('REPLICAOF', '127.0.0.1', second.port));
      address.leadTo(second.port);
      await also(first, second);
      const healing = untilShared();
      for (let count = 0; count < 40; count += 1) seen.push(await ask());
      const healedAfter = await healing;
      for (let count = 0; count < 120; count += 1) seen.push(await ask());
      first.thaw();
      expect(healedAfter).toBeLessThan(4_500 * patience());
      expect(seen.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(110);
      expect(seen.filter(({ status }) => status >= 500)).toEqual([]);
      expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(2_000 * patience());
    },
  );
});
