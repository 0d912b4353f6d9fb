import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Attempt } from '../../../src/quota/decision-batches.ts';
import { createLimiter } from '../../../src/quota/limiter.ts';
import type { Ask, Decision, Limiter } from '../../../src/quota/quota-port.ts';
import type { RedisScriptClient } from '../../../src/quota/redis-script-client.ts';
import { createRedisScriptClient } from '../../../src/quota/redis-script-client.ts';
import { connectRedis } from '../../../src/lib/redis/redis-client.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createCounter } from '../../support/counter.ts';
import type { Counter } from '../../support/counter.ts';
import { mostInAMinute } from '../../support/most-in-a-minute.ts';
import type { TestRedis } from '../../support/redis.ts';
import { startRedis } from '../../support/redis.ts';
import { inLines } from '../../support/request-lines.ts';

/** What a real Redis does to the limiter when it dies, freezes, forgets or loses the script. */

let server: TestRedis;
let limiters: Limiter[];
/** connections that ended, of all of them */
let ends: Counter;
/** how often one of them asked what became of batches without an answer */
let recalls: Counter;

const ask: Ask = { budget: 'a:acme', key: null, limits: { perMinute: 60, perDay: 1_000 }, liftedAt: null, spend: 1 };

function limiter(replicas = 1, observe: (attempt: Attempt) => void = () => undefined): Limiter {
  const redis = connectRedis({ url: server.url, passwordFile: null, caFile: null }, silentLog);
  redis.on('close', () => ends.note());
  const client = createRedisScriptClient(redis);
  const noted: RedisScriptClient = {
    ...client,
    run(batch) {
      if (batch.budgets.length === 0) recalls.note();
      return client.run(batch);
    },
  };
  const made = createLimiter({ client: noted, replicas: () => replicas, clock: systemClock, observe });
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

async function command(run: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(server.url);
  await run(redis);
  redis.disconnect();
}

beforeEach(async () => {
  limiters = [];
  [ends, recalls] = [createCounter(), createCounter()];
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

  // Would fail if requests went on to wait for it: all but what was under way has to be decided without it.
  it.each([
    ['frozen', () => Promise.resolve(server.freeze())],
    ['killed', () => server.kill()],
  ])('leaves no request without an answer from the moment on in which Redis is %s', async (_, fault) => {
    const outcomes: Attempt['outcome'][] = [];
    const subject = limiter(1, ({ outcome }) => outcomes.push(outcome));
    await connected(subject);
    const [lines, each] = [64, 20];
    let others = 0;
    const work = async (line: number) => {
      const limits = { perMinute: 100_000, perDay: null };
      const { kind } = await subject.decide({ ...ask, budget: `a:${line}`, limits });
      if (kind !== 'allowed') others += 1;
    };
    await inLines(lines, each, work);
    const going = inLines(lines, each, work);
    const before = outcomes.length;
    await fault();
    await going;
    await inLines(lines, each, work);
    server.thaw();
    expect(others).toBe(0);
    const after = outcomes.slice(before);
    // Two batches are under way at most, and two more where it had been given up and come back just before.
    expect(after.filter((outcome) => outcome === 'timeout' || outcome === 'error').length).toBeLessThanOrEqual(4);
    expect(after.filter((outcome) => outcome === 'skipped').length).toBeGreaterThanOrEqual(lines * each);
  });

  it('a frozen Redis that comes back has counted each admitted request once', async () => {
    const subject = limiter();
    await connected(subject);
    await spend(subject, 10);
    server.freeze();
    const asked = recalls.further(1);
    await Promise.all(Array.from({ length: 15 }, () => subject.decide(ask)));
    await asked;
    await spend(subject, 5);
    server.thaw();
    const settled = async () => {
      const { degraded, minute } = await subject.decide({ ...ask, spend: 0 });
      expectThat(!degraded && minute.remaining === 30, `${minute.remaining} left`);
    };
    await eventually('all is settled', 10_000, settled);
    // It has executed what stood in its sockets meanwhile when it answers somebody who came later.
    await command((redis) => redis.ping());
    await eventually('all is settled still', 10_000, settled);
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

  it.each<[string, (more: () => Promise<void>) => Promise<unknown>]>([
    [
      'killed and started again, empty',
      async (more) => {
        await Promise.all([server.kill(), more()]);
        await more();
        await Promise.all([server.start(), more()]);
      },
    ],
    [
      'frozen for longer than connections last',
      async (more) => {
        const [going, given] = [more(), ends.further(2)];
        server.freeze();
        await Promise.all([going, given]);
        await more();
        server.thaw();
        await more();
      },
    ],
    [
      'flushed, data and script',
      (more) => Promise.all([command((redis) => redis.flushall().then(() => redis.script('FLUSH'))), more()]),
    ],
  ])('two processes under load admit at most a tenth more than the limit when Redis is %s', async (_, fault) => {
    const perMinute = 300;
    const two = [limiter(2), limiter(2)];
    for (const one of two) await connected(one);
    const allowedAt: number[] = [];
    const work = async (line: number) => {
      const decision = await two[line % 2]?.decide({ ...ask, limits: { perMinute, perDay: null } });
      if (decision?.kind === 'allowed') allowedAt.push(decision.now);
    };
    await inLines(16, 6, work);
    await fault(() => inLines(16, 3, work));
    for (const one of two) await connected(one);
    await inLines(16, 40, work);
    expect(mostInAMinute(allowedAt)).toBeLessThanOrEqual(perMinute * 1.1);
    expect(allowedAt.length).toBeGreaterThanOrEqual(perMinute * 0.8);
  });

  // One that hung until Redis answers would keep its line from ending, while it is frozen and while it is away.
  it('never rejects and never hangs, whatever happens to Redis under load', async () => {
    const subject = limiter();
    await connected(subject);
    const decisions: Decision[] = [];
    const load = () =>
      inLines(8, 20, async () => {
        decisions.push(await subject.decide({ ...ask, limits: { perMinute: 100_000, perDay: 1_000_000 } }));
      });
    await load();
    await Promise.all([load(), server.kill()]);
    await load();
    expect(decisions.at(-1)?.degraded).toBe(true);
    await Promise.all([load(), server.start()]);
    await connected(subject);
    const going = load();
    server.freeze();
    await going;
    await load();
    expect(decisions.at(-1)?.degraded).toBe(true);
    server.thaw();
    await load();
    await connected(subject);
    expect(decisions).toHaveLength(7 * 8 * 20);
    expect(decisions.every(({ kind }) => kind === 'allowed')).toBe(true);
  }, 30_000);
});
