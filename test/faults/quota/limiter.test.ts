import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { createLimiter } from '../../../src/quota/limiter.ts';
import type { Ask, Decision, Limiter } from '../../../src/quota/quota-port.ts';
import { createRedisScriptClient } from '../../../src/quota/redis-script-client.ts';
import { connectRedis } from '../../../src/redis/redis-client.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { TestRedis } from '../../support/redis.ts';
import { startRedis } from '../../support/redis.ts';

/** What a real Redis does to the limiter when it dies, freezes, forgets or loses the script. */

let server: TestRedis;
let limiters: Limiter[];

const ask: Ask = { budget: 'a:acme', key: null, limits: { perMinute: 60, perDay: 1_000 }, liftedAt: null, spend: 1 };

function limiter(replicas = 1): Limiter {
  const made = createLimiter({
    client: createRedisScriptClient(connectRedis({ url: server.url, passwordFile: null, caFile: null }, silentLog)),
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

/** Does the work over and over in so many loops while something happens, and ends them whatever becomes of it. */
async function underLoad(loops: number, work: (loop: number) => Promise<void>, happens: () => Promise<void>) {
  let isOver = false;
  const working = Promise.all(
    Array.from({ length: loops }, async (_, loop) => {
      while (!isOver) await work(loop);
    }),
  );
  working.catch(() => (isOver = true));
  await happens().finally(() => (isOver = true));
  await working;
}

async function command(run: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(server.url);
  await run(redis);
  redis.disconnect();
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

  it('holds the day, too, over an outage that took what Redis knew', async () => {
    const subject = limiter();
    await connected(subject);
    const day = { ...ask, limits: { perMinute: 1_000, perDay: 100 } };
    const spendOfDay = async (count: number) => {
      let allowed = 0;
      for (let index = 0; index < count; index += 1) if ((await subject.decide(day)).kind === 'allowed') allowed += 1;
      return allowed;
    };
    expect(await spendOfDay(50)).toBe(50);
    await server.kill();
    expect(await spendOfDay(40)).toBe(40);
    await server.start();
    await connected(subject);
    await eventually('the debt is paid', 5_000, async () => {
      const { degraded, day: left } = await subject.decide({ ...day, spend: 0 });
      expectThat(!degraded && left?.remaining === 10, `${left?.remaining} left`);
    });
    expect(await spendOfDay(60)).toBe(10);
  });

  it('pays back without being asked, so that the other process knows', async () => {
    const [one, other] = [limiter(), limiter()];
    await connected(one);
    await connected(other);
    await server.kill();
    expect((await spend(one, 30)).allowed).toBe(30);
    await server.start();
    await eventually('the other process knows', 10_000, async () => {
      const { degraded, minute } = await other.decide({ ...ask, spend: 0 });
      expectThat(!degraded && minute.remaining === 30, `${minute.remaining} left`);
    });
  });

  // The times are printed and never asserted.
  it.each([
    ['frozen', () => Promise.resolve(server.freeze())],
    ['killed', () => server.kill()],
  ])('leaves no request without an answer from the moment on in which Redis is %s', async (title, fault) => {
    const subject = limiter();
    await connected(subject);
    const times: { readonly at: number; readonly ms: number }[] = [];
    let [faultAt, others] = [Number.POSITIVE_INFINITY, 0];
    const work = async (line: number) => {
      const at = performance.now();
      const { kind } = await subject.decide({
        ...ask,
        budget: `a:${line}`,
        limits: { perMinute: 100_000, perDay: null },
      });
      times.push({ at, ms: performance.now() - at });
      if (kind !== 'allowed') others += 1;
      await sleep(1);
    };
    await underLoad(64, work, async () => {
      await sleep(500);
      faultAt = performance.now();
      await fault();
      await sleep(1_000);
    });
    server.thaw();
    const p99 = (from: number, to: number) => {
      const chosen = times.filter(({ at }) => at >= faultAt + from && at < faultAt + to).map(({ ms }) => ms);
      return chosen.toSorted((a, b) => a - b)[Math.floor(chosen.length * 0.99)]?.toFixed(1) ?? 'none';
    };
    process.stderr.write(
      `Redis ${title}: 99 of 100 requests took ${p99(-500, -50)} ms before, ${p99(-25, 100)} ms in the first 100 ms, ${p99(100, 1_000)} ms after that\n`,
    );
    expect(others).toBe(0);
    expect(times.length).toBeGreaterThan(1_000);
  });

  it('a frozen Redis that comes back has counted each admitted request once', async () => {
    const subject = limiter();
    await connected(subject);
    await spend(subject, 10);
    server.freeze();
    await Promise.all(Array.from({ length: 15 }, () => subject.decide(ask)));
    await sleep(300);
    await spend(subject, 5);
    server.thaw();
    await eventually('all is settled', 10_000, async () => {
      const { degraded, minute } = await subject.decide({ ...ask, spend: 0 });
      expectThat(!degraded && minute.remaining === 30, `${minute.remaining} left`);
    });
    await sleep(500);
    expect((await subject.decide({ ...ask, spend: 0 })).minute.remaining).toBe(30);
  });

  it('holds the limit over a flush although the process that asks first saw least', async () => {
    const [busy, idle] = [limiter(), limiter()];
    await connected(busy);
    await connected(idle);
    await spend(idle, 1);
    await spend(busy, 59);
    await command((redis) => redis.flushall());
    const after = [await spend(idle, 1), await spend(busy, 60)];
    expect(after.reduce((sum, { allowed }) => sum + allowed, 60)).toBeLessThanOrEqual(66);
  });

  it.each<[string, (redis: Redis) => Promise<unknown>, number]>([
    ['all data is flushed', (redis) => redis.flushall(), 60],
    ['the script is flushed', (redis) => redis.script('FLUSH'), 60],
  ])('holds the limit when %s', async (_, fault, most) => {
    const subject = limiter();
    await connected(subject);
    const before = await spend(subject, 40);
    await command(fault);
    const after = await spend(subject, 60);
    expect(before.allowed + after.allowed).toBe(most);
  });

  it.each<[string, () => Promise<void>]>([
    [
      'killed and started again, empty',
      () =>
        server
          .kill()
          .then(() => sleep(700))
          .then(() => server.start()),
    ],
    [
      'frozen for longer than connections last',
      async () => {
        server.freeze();
        await sleep(2_600);
        server.thaw();
      },
    ],
    ['flushed, data and script', () => command((redis) => redis.flushall().then(() => redis.script('FLUSH')))],
  ])('two processes under load admit at most a tenth more than the limit when Redis is %s', async (_, fault) => {
    const perMinute = 300;
    const two = [limiter(2), limiter(2)];
    for (const one of two) await connected(one);
    const startedAt = Date.now();
    const load = { asked: 0, allowed: 0 };
    const work = async (loop: number) => {
      const decision = await two[loop % 2]?.decide({ ...ask, limits: { perMinute, perDay: null } });
      load.asked += 1;
      if (decision?.kind === 'allowed') load.allowed += 1;
      await sleep(loop < 4 ? 20 : 60);
    };
    await underLoad(16, work, async () => {
      await sleep(300);
      await fault();
      for (const one of two) await connected(one);
      load.asked = 0;
      await eventually('more was asked than may pass', 20_000, () =>
        Promise.resolve(expectThat(load.asked > 2 * perMinute, `${load.asked} asked`)),
      );
    });
    expect(Date.now() - startedAt).toBeLessThan(50_000);
    expect(load.allowed).toBeLessThanOrEqual(perMinute * 1.1);
    expect(load.allowed).toBeGreaterThanOrEqual(perMinute * 0.8);
  });

  it('never rejects and never hangs, whatever happens to Redis under load', async () => {
    const subject = limiter();
    await connected(subject);
    const decisions: Decision[] = [];
    const took: number[] = [];
    const work = async () => {
      const startedAt = performance.now();
      decisions.push(await subject.decide({ ...ask, limits: { perMinute: 100_000, perDay: 1_000_000 } }));
      took.push(performance.now() - startedAt);
      await sleep(5);
    };
    await underLoad(8, work, async () => {
      await sleep(300);
      await server.kill();
      await sleep(500);
      await server.start();
      await sleep(800);
      server.freeze();
      await sleep(500);
      server.thaw();
      await connected(subject);
    });
    expect(decisions.some(({ degraded }) => degraded)).toBe(true);
    expect(decisions.every(({ kind }) => kind === 'allowed')).toBe(true);
    expect(Math.max(...took)).toBeLessThan(2_000);
  }, 30_000);
});
