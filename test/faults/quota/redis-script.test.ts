import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import type { KeyState } from '../../../src/quota/ban-state.ts';
import type { QuotaState } from '../../../src/quota/quota-decision.ts';
import { decideQuota, nothingSpent } from '../../../src/quota/quota-decision.ts';
import { readBudget, readAccountStrikes, readKey } from '../../../src/quota/state-encoding.ts';
import type { Ask } from '../../../src/quota/quota-port.ts';
import type { ScriptCall } from '../../../src/quota/redis-script.ts';
import { keyCount, readReply, script, scriptArguments, scriptKeys } from '../../../src/quota/redis-script.ts';
import type { TestRedis } from '../../support/redis.ts';
import { startRedis } from '../../support/redis.ts';

/** decide.lua in a real Redis against the TypeScript that says the same; Redis' clock is given by the test. */

const clockLine = "local time = redis.call('TIME')";
const givenClock = "local time = {redis.call('GET', 'test:s'), redis.call('GET', 'test:us')}";

let server: TestRedis;
let redis: Redis;
type Decide = (...args: (string | number | Buffer)[]) => Promise<unknown>;
let run: Decide;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
  expect(script).toContain(clockLine);
  redis.defineCommand('decideAt', { numberOfKeys: keyCount, lua: script.replace(clockLine, givenClock) });
  const commands = redis as unknown as { decideAtBuffer: Decide };
  run = (...args) => commands.decideAtBuffer(...args);
}, 60_000);

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

beforeEach(() => redis.flushall());

const none = Buffer.alloc(0);

async function askScript(nowMs: number, ask: Ask, given: Partial<ScriptCall> = {}) {
  const call: ScriptCall = { ask, seeds: { budget: none, key: none }, debt: null, ...given };
  await redis.mset('test:s', Math.floor(nowMs / 1_000), 'test:us', (nowMs % 1_000) * 1_000);
  return readReply(await run(...scriptKeys(call), ...scriptArguments(call)), ask);
}

const noon = Date.parse('2026-01-01T12:00:00Z');
const plain: Ask = { budget: 'a:acme', key: 'k1', limits: { perMinute: 5, perDay: 100 }, liftedAt: null, spend: 1 };

interface Step {
  readonly pause: number;
  readonly key: string | null;
  readonly spend: number;
  readonly perMinute: number;
  readonly perDay: number | null;
  readonly lift: boolean;
  readonly repeat: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  pause: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
    { weight: 3, arbitrary: fc.constantFrom(1_999, 2_000, 2_001, 10_000, 60_000, 599_000, 600_000, 86_400_000) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 100_000_000 }) },
  ),
  key: fc.constantFrom('k1', 'k1', 'k2', 'k3', null),
  spend: fc.constantFrom(1, 1, 1, 0, 10),
  perMinute: fc.constantFrom(5, 5, 20),
  perDay: fc.constantFrom(100, 100, 12, null),
  lift: fc.integer({ min: 0, max: 20 }).map((draw) => draw === 0),
  repeat: fc.constantFrom(1, 3, 30, 80),
});

/** What of a key's state can still change a decision: the script keeps no more. */
function inForce(key: KeyState, nowMs: number) {
  const { refusedAtMs, refusedUntil, forgiven, bannedAtMs, bannedUntil, step } = key;
  return {
    refusal: refusedUntil * 1_000 > nowMs ? { refusedAtMs, refusedUntil, forgiven } : null,
    ban: bannedUntil * 1_000 > nowMs ? bannedUntil : null,
    lift: { step, bannedAtMs },
  };
}

/** The same of an account: clean days count only where there is a step to forget. */
const heldAgainst = ({ step, cleanSince, strikes }: QuotaState['account']) => ({
  step,
  cleanSince: step > 0 ? cleanSince : 0,
  strikes,
});

/** Takes the steps in the script and in the reference, which have to agree each time; how many times that was. */
async function compare(steps: readonly Step[], start: number): Promise<number> {
  await redis.flushall();
  let now = start;
  let compared = 0;
  let { budget, account } = nothingSpent;
  const keys = new Map<string | null, QuotaState['key']>();
  for (const { pause, key, spend, perMinute, perDay, lift, repeat } of steps) {
    now += pause;
    const ask: Ask = { ...plain, key, spend, limits: { perMinute, perDay }, liftedAt: lift ? now : null };
    for (let count = 0; count < repeat; count += 1) {
      const { decision, after } = decideQuota({ budget, account, key: keys.get(key) ?? nothingSpent.key }, ask, now);
      const said = await askScript(now, ask);
      expect(said.decision).toEqual(decision);
      expect(readBudget(said.budget)).toEqual(after.budget);
      expect(heldAgainst(readAccountStrikes(said.budget))).toEqual(heldAgainst(after.account));
      expect(inForce(readKey(said.key), now)).toEqual(inForce(after.key, now));
      compared += 1;
      if (spend === 0) continue;
      ({ budget, account } = after);
      keys.set(key, after.key);
    }
  }
  return compared;
}

describe('the script', () => {
  it('says what the reference says, step by step, for any history', async () => {
    let compared = 0;
    const histories = fc.array(step, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(histories, fc.integer({ min: 0, max: 9_999 }), async (steps, start) => {
        compared += await compare(steps, noon + start);
      }),
      { numRuns: 60 },
    );
    expect(compared).toBeGreaterThan(2_000);
  }, 120_000);

  const usual: Step = { pause: 0, key: 'k1', spend: 1, perMinute: 5, perDay: 100_000, lift: false, repeat: 1 };
  const toTheBan = [{ repeat: 5 + 1 + 50 + 20 }];
  it.each<[string, readonly Partial<Step>[], readonly number[]]>([
    ['two seconds of grace', [{ repeat: 30 }], [1_999, 2_000, 2_001]],
    ['ten minutes of strikes', [{ repeat: 5 + 1 + 50 + 19 }], [598_999, 599_000, 600_000, 600_001]],
    [
      'ten minutes of strikes after a ban',
      [...toTheBan, { pause: 200_000, repeat: 5 + 1 + 50 + 19 }],
      [599_999, 600_000, 600_001],
    ],
    ['the end of a ban', toTheBan, [59_999, 60_000, 60_001]],
    ['a clean day', toTheBan, [86_459_999, 86_460_000, 86_460_001]],
    ['midnight', [{ perMinute: 100, perDay: 12, repeat: 20 }], [43_199_999, 43_200_000]],
  ])('says what the reference says at the edge of %s', async (_, before, pauses) => {
    for (const pause of pauses) {
      const steps = [
        ...before,
        { pause, repeat: 40 },
        { pause: 1, repeat: 40 },
        { pause: 1, lift: true },
        { repeat: 80 },
      ];
      const edge = steps.map((changes) => ({ ...usual, ...changes }));
      expect(await compare(edge, noon)).toBeGreaterThan(160);
    }
  });

  it('says what the reference says of counts as large as plans allow', async () => {
    const counts = fc.array(fc.nat({ max: 200_000 }), { minLength: 7, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(
        counts,
        fc.nat({ max: 9_999 }),
        fc.constantFrom(1_000, 500_000),
        async (spent, late, perMinute) => {
          const state = {
            bucket: noon / 10_000,
            counts: spent,
            day: Math.floor(noon / 86_400_000),
            dayCount: 9_000_000,
          };
          const ask: Ask = { ...plain, limits: { perMinute, perDay: 1_000_000_000 } };
          const { bucket, day, dayCount } = state;
          const packed = Buffer.alloc(40);
          [bucket, ...spent, day, dayCount].forEach((number, index) => packed.writeUInt32BE(number, index * 4));
          await redis.set('q:{a:acme}', packed);
          await redis.del('q:{a:acme}:k:k1');
          const said = await askScript(noon + late, ask);
          expect(said.decision).toEqual(decideQuota({ ...nothingSpent, budget: state }, ask, noon + late).decision);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('leaves nothing without an end in Redis, and less than 200 bytes of values for an account with a key that strikes', async () => {
    for (let count = 0; count < 60; count += 1) await askScript(noon + count * 3_000, plain);
    const keys = (await redis.keys('q:*')).toSorted();
    expect(keys).toEqual(['q:{a:acme}', 'q:{a:acme}:k:k1']);
    let size = 0;
    for (const key of keys) {
      expect(await redis.ttl(key)).toBeGreaterThan(0);
      size += await redis.strlen(key);
    }
    expect(size).toBeLessThan(200);
  });

  it('writes nothing when it only looks', async () => {
    await askScript(noon, { ...plain, spend: 0 });
    expect(await redis.keys('q:*')).toEqual([]);
  });

  it('takes the seed where Redis has lost the state', async () => {
    let seeds: ScriptCall['seeds'] = { budget: none, key: none };
    for (let count = 0; count < 5; count += 1) {
      const { budget, key } = await askScript(noon, plain);
      seeds = { budget, key };
    }
    await redis.flushall();
    expect((await askScript(noon, plain, { seeds })).decision.kind).toBe('limited');
    await redis.flushall();
    expect((await askScript(noon, plain)).decision.kind).toBe('allowed');
  });

  it('takes what is held against the account where Redis has lost it, though another process asked first', async () => {
    let seeds: ScriptCall['seeds'] = { budget: none, key: none };
    for (let count = 0; count < 5 + 1 + 50 + 20; count += 1) {
      const { budget, key } = await askScript(noon, plain);
      seeds = { budget, key };
    }
    await redis.flushall();
    expect((await askScript(noon + 90_000, { ...plain, key: 'k9' })).decision.kind).toBe('allowed');
    const k2 = { ...plain, key: 'k2', limits: { perMinute: 1, perDay: 100 } };
    const given = { seeds: { budget: seeds.budget, key: none } };
    for (let count = 0; count < 51; count += 1) await askScript(noon + 90_000, k2, given);
    expect((await askScript(noon + 90_000, k2, given)).decision.ban).toMatchObject({ step: 2 });
    const limits = { perMinute: 1, perDay: 100 };
    expect((await askScript(noon + 90_000, { ...plain, limits }, { seeds })).decision.kind).toBe('limited');
  });

  it('takes of every seed what it knows more of, as the first to ask may know least', async () => {
    const limits = { perMinute: 100, perDay: 1_000 };
    const seen: ScriptCall['seeds'][] = [];
    for (let count = 0; count < 40; count += 1) {
      const { budget, key } = await askScript(noon + count * 500, { ...plain, limits });
      seen.push({ budget, key });
    }
    const [least, most] = [seen[2], seen[39]] as [ScriptCall['seeds'], ScriptCall['seeds']];
    await redis.flushall();
    await askScript(noon + 20_000, { ...plain, limits }, { seeds: least });
    const { decision } = await askScript(noon + 20_000, { ...plain, limits }, { seeds: most });
    // The one that was admitted in between stands in a bucket of its own, and is lost to the day.
    expect(decision).toMatchObject({ minute: { remaining: 100 - 42 }, day: { remaining: 1_000 - 41 } });
    const again = await askScript(noon + 20_000, { ...plain, limits, spend: 0 }, { seeds: least });
    expect(again.decision.minute.remaining).toBe(100 - 42);
  });

  it('knows a seed’s day as over when it is, and its minute too', async () => {
    const { budget, key } = await askScript(noon, plain);
    await redis.flushall();
    const later = await askScript(noon + 86_400_000, { ...plain, spend: 0 }, { seeds: { budget, key } });
    expect(later.decision).toMatchObject({ minute: { remaining: 5 }, day: { remaining: 100 } });
  });

  it('tells a day of which nothing may be spent from no day at all', async () => {
    const nothing = { ...plain, limits: { perMinute: 5, perDay: 0 } };
    const decided = decideQuota(nothingSpent, nothing, noon).decision;
    expect(decided.kind).toBe('limited');
    expect((await askScript(noon, nothing)).decision).toEqual(decided);
  });

  it('counts the debt of a process whose clock is ahead', async () => {
    const bucket = Math.floor(noon / 10_000) + 1;
    const debt = { id: 'd1', day: Math.floor(noon / 86_400_000), dayCount: 3, counts: [[bucket, 3] as const] };
    expect((await askScript(noon, plain, { debt })).decision.minute.remaining).toBe(1);
  });

  it('counts a debt once, however often it is sent', async () => {
    const bucket = Math.floor(noon / 10_000);
    const debt = { id: 'd1', day: Math.floor(noon / 86_400_000), dayCount: 3, counts: [[bucket, 3] as const] };
    expect((await askScript(noon, plain, { debt })).decision.minute.remaining).toBe(1);
    const again = await askScript(noon, { ...plain, spend: 0 }, { debt });
    expect(again.decision).toMatchObject({ minute: { remaining: 1 }, day: { remaining: 96 } });
  });
});
