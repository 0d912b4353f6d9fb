import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createLimiter } from '../../../src/quota/limiter.ts';
import type { Ask, Decision, Limiter } from '../../../src/quota/quota-port.ts';
import { createRedisScriptClient, shards, stateKey } from '../../../src/quota/redis-script-client.ts';
import { createShardedLimiter } from '../../../src/quota/sharded-limiter.ts';
import { connectRedis } from '../../../src/lib/redis/redis-client.ts';
import type { RedisPlace } from '../../../src/lib/redis/redis-client.ts';
import { createAnswerOnce } from '../../../src/server/idempotency/answer-once.ts';
import { createKeptAnswers } from '../../../src/server/idempotency/redis-kept-answers.ts';
import { createCounter } from '../../support/counter.ts';
import type { RedisCluster } from '../../support/redis-cluster.ts';
import { startRedisCluster } from '../../support/redis-cluster.ts';
import { inLinesWhile } from '../../support/request-lines.ts';

/** A real Redis Cluster: nothing fails and nothing is counted twice while a primary dies or slots move. */

const deadlineMs = 120_000;
/** Over all shards, and so over all nodes. */
const budgets = Array.from({ length: 120 }, (_, at) => `a:account-${at}`);

let cluster: RedisCluster;
let limiters: Limiter[];

beforeAll(async () => {
  cluster = await startRedisCluster();
}, deadlineMs);
afterAll(() => cluster.stop(), deadlineMs);

afterEach(async () => {
  await Promise.all(limiters.map((one) => one.close()));
});

const anonymous = { url: 'redis://', passwordFile: null } as const;

/** As a process of its own. */
async function started(replicas = 1, login: Pick<RedisPlace, 'url' | 'passwordFile'> = anonymous): Promise<Limiter> {
  const redis = connectRedis({ ...login, caFile: null, cluster: cluster.nodes }, silentLog);
  const made = createShardedLimiter((shard) =>
    createLimiter({
      client: createRedisScriptClient(redis, shard),
      replicas: () => replicas,
      clock: systemClock,
      observe: () => undefined,
      shards,
    }),
  );
  limiters.push(made);
  await eventually('every shard is decided by Redis', 20_000, async () => {
    const seen = await Promise.all(budgets.map((budget) => made.decide(asked(budget, { spend: 0 }))));
    expectThat(!seen.some(({ degraded }) => degraded), 'some are not');
  });
  return made;
}

const asked = (budget: string, changes: Partial<Ask> = {}): Ask => ({
  budget,
  key: null,
  limits: { perMinute: 1_000_000, perDay: 1_000_000 },
  liftedAt: null,
  spend: 1,
  ...changes,
});

/** Requests over all budgets, eight at a time, until something has happened, and some before and after it. */
async function underLoad(subject: Limiter, name: string, happens: () => Promise<void>) {
  const allowed = new Map<string, number>();
  const decisions: Decision[] = [];
  const answered = createCounter();
  let at = 0;
  const work = async () => {
    const budget = `${budgets[(at += 1) % budgets.length]}-${name}`;
    const decision = await subject.decide(asked(budget));
    decisions.push(decision);
    if (decision.kind === 'allowed') allowed.set(budget, (allowed.get(budget) ?? 0) + 1);
    answered.note();
  };
  await inLinesWhile(8, work, async () => {
    await answered.further(1_000);
    await happens();
    await answered.further(1_000);
  });
  return { allowed, decisions };
}

/** How many requests of each budget's day Redis has counted, once it knows of all that were admitted alone. */
async function countedBy(
  subject: Limiter,
  expected: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const read = async () => {
    const pairs = [...expected.keys()].map(async (budget) => {
      const { day, degraded } = await subject.decide(asked(budget, { spend: 0 }));
      expectThat(!degraded, `${budget} is counted alone`);
      return [budget, 1_000_000 - (day?.remaining ?? 0)] as const;
    });
    return new Map(await Promise.all(pairs));
  };
  await eventually('Redis knows all', 10_000, async () => {
    const seen = await read();
    const sum = (of: ReadonlyMap<string, number>) => [...of.values()].reduce((total, one) => total + one, 0);
    expectThat(sum(seen) >= sum(expected), `${sum(seen)} of ${sum(expected)}`);
  });
  // A look spends nothing; of 120 at once one may be answered late, and is counted alone.
  return eventually('Redis decides all', 10_000, read);
}

beforeAll(() => void (limiters = []));
afterEach(() => void (limiters = []));

/** Once more with budgets of another name where a busy machine kept Redis' answers for longer than processes wait. */
async function undisturbed(
  decide: (name: string) => readonly Promise<Decision>[] | Promise<readonly Promise<Decision>[]>,
): Promise<readonly Decision[]> {
  let tries = 0;
  return eventually('all are decided by Redis', 60_000, async () => {
    tries += 1;
    const decisions = await Promise.all(await decide(`try-${tries}`));
    expectThat(!decisions.some(({ degraded }) => degraded), 'some are not');
    return decisions;
  });
}

describe('on a Redis Cluster', () => {
  // Would fail with CROSSSLOT if a call had keys of two shards, or with twice the limit if processes counted apart.
  it('two processes share every budget, whichever node it is on', async () => {
    const [one, other] = [await started(2), await started(2)];
    const limits = { perMinute: 10, perDay: 100 };
    const decisions = await undisturbed((name) =>
      budgets.flatMap((budget) =>
        Array.from({ length: 24 }, (_, at) =>
          (at % 2 === 0 ? one : other).decide(asked(`${budget}-${name}`, { limits })),
        ),
      ),
    );
    expect(decisions.filter(({ kind }) => kind === 'allowed')).toHaveLength(10 * budgets.length);
  });

  it('a script that every node has forgotten is sent again', async () => {
    const subject = await started();
    const decisions = await undisturbed(async (name) => {
      await cluster.onPrimaries((redis) => redis.script('FLUSH'));
      return budgets.map((budget) => subject.decide(asked(`${budget}-${name}`)));
    });
    expect(decisions.map(({ kind }) => kind)).toEqual(budgets.map(() => 'allowed'));
  });

  it(
    'a password that changes is read again, and its connections come back with the new one',
    async () => {
      const dir = temporaryFolder('cluster-password');
      const passwordFile = join(dir, 'password');
      const setPassword = async (password: string) => {
        writeFileSync(passwordFile, password);
        await cluster.onNodes((redis) =>
          redis.acl('SETUSER', 'quota', 'reset', 'on', `>${password}`, '~*', '&*', '+@all'),
        );
      };
      await setPassword('the-first-one');
      const subject = await started(1, { url: 'redis://quota@cluster', passwordFile });
      await setPassword('the-second-one');
      await cluster.onNodes((redis) => redis.client('KILL', 'USER', 'quota'));
      await eventually('all are decided by Redis again', 20_000, async () => {
        const seen = await Promise.all(budgets.map((budget) => subject.decide(asked(budget, { spend: 0 }))));
        expectThat(!seen.some(({ degraded }) => degraded), 'some are not');
      });
      rmSync(dir, { recursive: true });
    },
    deadlineMs,
  );

  it(
    'slots that move under load cost no request, and count none twice',
    async () => {
      const subject = await started();
      const primaries = () => Promise.all(budgets.map((budget) => cluster.primaryOf(stateKey(`${budget}-moved`))));
      const before = await primaries();
      const [from = 0] = before;
      const to = before.find((port) => port !== from) ?? 0;
      const { allowed, decisions } = await underLoad(subject, 'moved', () => cluster.moveSlots(from, to));
      const alone = decisions.filter(({ degraded }) => degraded).length;
      process.stderr.write(`${decisions.length} decisions while slots moved, ${alone} alone\n`);
      expect(decisions.filter(({ kind }) => kind !== 'allowed')).toEqual([]);
      const after = await primaries();
      expect(after.filter((port, at) => port !== before[at]).length).toBeGreaterThan(5);
      expect(await countedBy(subject, allowed)).toEqual(allowed);
    },
    deadlineMs,
  );

  it(
    'a primary that dies under load costs no request, counts none twice, and its budgets are shared again once its replica is promoted',
    async () => {
      const subject = await started();
      const dying = await cluster.primaryOf(stateKey(`${budgets[0]}-killed`));
      const { allowed, decisions } = await underLoad(subject, 'killed', async () => {
        await cluster.kill(dying);
        await eventually('another node is the primary', 20_000, async () => {
          expectThat((await cluster.primaryOf(stateKey(`${budgets[0]}-killed`))) !== dying, 'it is not');
        });
        await eventually('all are shared again', 20_000, async () => {
          const seen = await Promise.all(
            budgets.map((budget) => subject.decide(asked(`${budget}-killed`, { spend: 0 }))),
          );
          expectThat(!seen.some(({ degraded }) => degraded), 'they are not');
        });
      });
      const alone = decisions.filter(({ degraded }) => degraded).length;
      process.stderr.write(`${decisions.length} decisions while a primary died, ${alone} alone\n`);
      expect(decisions.filter(({ kind }) => kind !== 'allowed')).toEqual([]);
      expect(alone).toBeGreaterThan(0);
      expect(alone).toBeLessThan(decisions.length);
      expect(await countedBy(subject, allowed)).toEqual(allowed);
    },
    deadlineMs,
  );
});

it('answers of requests with an idempotency key are kept on whichever node, and given again', async () => {
  const redis = connectRedis({ ...anonymous, caFile: null, cluster: cluster.nodes }, silentLog);
  const answerOnce = createAnswerOnce({
    answers: createKeptAnswers(redis),
    secret: Buffer.alloc(32, 7),
    forged: () => undefined,
  });
  await eventually('it is connected', 20_000, () => Promise.resolve(expectThat(redis.status === 'ready', 'it is not')));
  let done = 0;
  const ask = (account: string, idempotency: 'by-name' | 'by-record') =>
    answerOnce({ account, idempotency, key: 'k', apiKey: `pd_${account}`, text: 'request' }, () => {
      done += 1;
      return Promise.resolve({ status: 201, body: { account } });
    });
  for (const account of budgets)
    for (const idempotency of ['by-name', 'by-record'] as const) {
      expect((await ask(account, idempotency)).body).toEqual({ account });
      expect((await ask(account, idempotency)).headers).toEqual({ 'idempotency-replayed': 'true' });
    }
  expect(done).toBe(2 * budgets.length);
  redis.disconnect();
});
