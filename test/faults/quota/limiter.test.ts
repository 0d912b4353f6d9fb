import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { createLimiter } from '../../../src/quota/limiter.ts';
import type { Ask, Decision, Limiter } from '../../../src/quota/port.ts';
import { createSender } from '../../../src/quota/sender.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import type { TestRedis } from '../../support/redis.ts';
import { startRedis } from '../../support/redis.ts';

/** What a real Redis does to the limiter when it dies, freezes, forgets or loses the script. */

let server: TestRedis;
let limiters: Limiter[];

const ask: Ask = { budget: 'a:acme', key: null, limits: { perMinute: 60, perDay: 1_000 }, liftedAt: null, spend: 1 };

function limiter(replicas = 1): Limiter {
  const made = createLimiter({
    sender: createSender(server.url, silentLog),
    replicas: () => replicas,
    clock: systemClock,
    observe: () => undefined,
  });
  limiters.push(made);
  return made;
}

/** Waits until Redis decides for this limiter. */
const connected = (subject: Limiter) =>
  eventually('Redis decides', 10_000, async () => {
    const { degraded } = await subject.decide({ ...ask, budget: 'a:probe' });
    expectThat(!degraded, 'still alone');
  });

async function spend(subject: Limiter, count: number): Promise<Record<Decision['kind'], number>> {
  const kinds = { allowed: 0, limited: 0, banned: 0 };
  for (let index = 0; index < count; index += 1) kinds[(await subject.decide(ask)).kind] += 1;
  return kinds;
}

beforeEach(async () => {
  limiters = [];
  server = await startRedis();
}, 60_000);

afterEach(async () => {
  await Promise.all(limiters.map((made) => made.close()));
  await server.stop();
});

describe('the limiter', () => {
  it('admits exactly the limit of racing requests over two keys', async () => {
    const subject = limiter();
    await connected(subject);
    const racing = Array.from({ length: 120 }, (_, index) => subject.decide({ ...ask, key: index % 2 ? 'k1' : 'k2' }));
    const kinds = (await Promise.all(racing)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'allowed')).toHaveLength(60);
  });

  it.each<[string, (redis: TestRedis) => Promise<void>]>([
    ['killed', (redis) => redis.kill()],
    [
      'frozen',
      (redis) => {
        redis.freeze();
        return Promise.resolve();
      },
    ],
  ])('goes on alone within the same limit when Redis is %s, and says so', async (_, fault) => {
    const subject = limiter();
    await connected(subject);
    await spend(subject, 40);
    await fault(server);
    const kinds = await spend(subject, 60);
    expect(kinds).toEqual({ allowed: 20, limited: 40, banned: 0 });
    expect((await subject.decide(ask)).degraded).toBe(true);
    server.thaw();
  });

  it('shares the limit among the processes while Redis is away', async () => {
    const two = [limiter(2), limiter(2)];
    for (const one of two) await connected(one);
    await server.kill();
    let allowed = 0;
    for (const one of two) allowed += (await spend(one, 60)).allowed;
    expect(allowed).toBeLessThanOrEqual(66);
    expect(allowed).toBeGreaterThanOrEqual(54);
  });

  it('pays back what it admitted alone, once, and both processes know', async () => {
    const [one, other] = [limiter(), limiter()];
    await connected(one);
    await connected(other);
    await server.kill();
    expect((await spend(one, 30)).allowed).toBe(30);
    await server.start();
    await connected(one);
    await connected(other);
    for (const subject of [one, other]) {
      await eventually('the other process knows', 5_000, async () => {
        const { remaining } = (await subject.decide({ ...ask, spend: 0 })).minute;
        expectThat(remaining === 30, `${remaining} left`);
      });
    }
    expect((await spend(other, 60)).allowed).toBe(30);
  });

  it('a frozen Redis that comes back counts on where it was', async () => {
    const subject = limiter();
    await connected(subject);
    await spend(subject, 20);
    server.freeze();
    await spend(subject, 20);
    server.thaw();
    await connected(subject);
    const { remaining } = (await subject.decide({ ...ask, spend: 0 })).minute;
    expect(remaining).toBeLessThanOrEqual(20);
    expect(remaining).toBeGreaterThanOrEqual(14);
  });

  it.each<[string, (redis: Redis) => Promise<unknown>, number]>([
    ['all data is flushed', (redis) => redis.flushall(), 60],
    ['the script is flushed', (redis) => redis.script('FLUSH'), 60],
  ])('holds the limit when %s', async (_, fault, most) => {
    const subject = limiter();
    await connected(subject);
    const before = await spend(subject, 40);
    const redis = new Redis(server.url);
    await fault(redis);
    redis.disconnect();
    const after = await spend(subject, 60);
    expect(before.allowed + after.allowed).toBe(most);
  });

  it('never rejects and never hangs, whatever happens to Redis under load', async () => {
    const subject = limiter();
    await connected(subject);
    let over = false;
    const decisions: Decision[] = [];
    const slowest: number[] = [];
    const load = Array.from({ length: 8 }, async () => {
      while (!over) {
        const startedAt = performance.now();
        decisions.push(await subject.decide({ ...ask, limits: { perMinute: 100_000, perDay: 1_000_000 } }));
        slowest.push(performance.now() - startedAt);
        await sleep(5);
      }
    });
    await sleep(300);
    await server.kill();
    await sleep(500);
    await server.start();
    await sleep(800);
    server.freeze();
    await sleep(500);
    server.thaw();
    await connected(subject);
    over = true;
    await Promise.all(load);
    expect(decisions.some(({ degraded }) => degraded)).toBe(true);
    expect(decisions.every(({ kind }) => kind === 'allowed')).toBe(true);
    expect(Math.max(...slowest)).toBeLessThan(2_000);
  }, 30_000);
});
