import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { AttackApi, MadeKey } from '../../support/attack-api.ts';
import { startAttackApi } from '../../support/attack-api.ts';
import { createForwarder, type Forwarder } from '../../support/forwarder.ts';
import { mostInAMinute } from '../../support/most-in-a-minute.ts';
import type { TestRedis } from '../../support/redis.ts';
import { startRedis } from '../../support/redis.ts';

/**
 * A customer asks on while Redis changes places: its primary becomes a replica and the address leads to another later. Each
 * process counts alone until then and goes over to the new primary; nothing waits for it, fails or is free.
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
  /** when it was answered, by the answer's own Date: Unix ms */
  readonly at: number;
}

async function ask(times: number): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (let count = 0; count < times; count += 1) {
    const { status, headers } = await api.rest(key.key, '/v1/account');
    seen.push({ status, at: Date.parse(String(headers.date)) });
  }
  return seen;
}

async function isAlone(): Promise<boolean> {
  const limits = { perMinute: 1_000, perDay: null };
  return (await api.limiter.decide({ budget: 'a:look', key: null, limits, liftedAt: null, spend: 1 })).degraded;
}

describe('whoever asks on while the primary becomes a replica', () => {
  it.each<[string, (first: TestRedis) => void]>([
    ['and its connections stay', () => undefined],
    ['and its connections are cut', () => address.cut()],
    ['which is then frozen', (first) => first.freeze()],
  ])('%s gets no more than the limit and no error, before the new one is found and after it', async (_, also) => {
    const [first, second] = servers as [TestRedis, TestRedis];
    const before = await ask(40);
    await command(second, (redis) => redis.call('REPLICAOF', 'NO', 'ONE'));
    await command(first, (redis) => redis.call('REPLICAOF', '127.0.0.1', second.port));
    also(first);
    // All of these are answered although there is no Redis that decides: what waited for one would never be.
    const meanwhile = await ask(40);
    expect(await isAlone()).toBe(true);
    address.leadTo(second.port);
    await eventually('all count together again', 10_000, async () =>
      expectThat(!(await isAlone()), 'each counts alone'),
    );
    const after = await ask(120);
    first.thaw();
    const seen = [...before, ...meanwhile, ...after];
    const allowed = seen.filter(({ status }) => status === 200);
    expect(mostInAMinute(allowed.map(({ at }) => at))).toBeLessThanOrEqual(110);
    expect(seen.filter(({ status }) => status >= 500)).toEqual([]);
  });
});
