import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { currentConduct, strikesOfABan } from '../../src/quota/ban-state.ts';
import { mostInBatch } from '../../src/quota/decision-batches.ts';
import type { Figures, QuotaState } from '../../src/quota/quota-decision.ts';
import { decideQuota, nothingSpent } from '../../src/quota/quota-decision.ts';
import type { MinuteLog } from '../../src/quota/minute-log.ts';
import { current, joined } from '../../src/quota/minute-log.ts';
import type { Ask } from '../../src/quota/quota-port.ts';
import { currentBudget } from '../../src/quota/quota-windows.ts';
import { readState } from '../../src/quota/state-encoding.ts';
import type { Batch, BatchReply, BudgetAsks } from '../../src/quota/batch-encoding.ts';
import { readReply, writeBatch } from '../../src/quota/batch-encoding.ts';
import { script, stateKey } from '../../src/quota/redis-script-client.ts';
import type { TestRedis } from './redis.ts';
import { fc } from './property.ts';
import { writeState } from './quota-state.ts';

const clockLine = "local time = redis.call('TIME')";
const nothing = Buffer.alloc(0);
const givenClock = "local time = {redis.call('GET', 'test:s'), redis.call('GET', 'test:us')}";

/**
 * quota-decision.lua in a real server against the TypeScript that says the same; the server's clock is given by the test. Declares the
 * tests; `start` gives an empty server.
 */
export function describeQuotaScript(start: () => Promise<TestRedis>): void {
  let server: TestRedis;
  let redis: Redis;
  let number = 0;

  beforeAll(async () => {
    server = await start();
    redis = new Redis(server.url);
    expect(script).toContain(clockLine);
    redis.defineCommand('decideAt', { lua: script.replace(clockLine, givenClock) });
  }, 60_000);

  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  beforeEach(async () => {
    await redis.flushall();
    number = 0;
  });

  const noon = Date.parse('2026-01-01T12:00:00Z');
  const plain: Ask = { budget: 'a:acme', key: 'k1', limits: { perMinute: 5, perDay: 100 }, liftedAt: null, spend: 1 };
  const today = Math.floor(noon / 86_400_000);

  /** What one budget is asked for; each is a budget of its own in a batch. */
  const askedFor = (asks: readonly Ask[], given: Partial<BudgetAsks> = {}): BudgetAsks => ({
    budget: asks[0]?.budget ?? '',
    asks,
    seed: null,
    debt: null,
    ...given,
  });

  async function runBatch(nowMs: number, batch: Batch): Promise<BatchReply> {
    await redis.mset('test:s', Math.floor(nowMs / 1_000), 'test:us', (nowMs % 1_000) * 1_000);
    const keys = ['test:batches', ...batch.budgets.map(({ budget }) => stateKey(budget))];
    const commands = redis as unknown as { decideAtBuffer: (...args: unknown[]) => Promise<unknown> };
    return readReply(await commands.decideAtBuffer(keys.length, ...keys, writeBatch(batch)), batch);
  }

  function nextNumber(): number {
    number += 1;
    return number;
  }

  const askAll = (nowMs: number, budgets: readonly BudgetAsks[]): Promise<BatchReply> =>
    runBatch(nowMs, { number: nextNumber(), answered: 0, budgets });

  /** One request. */
  async function askScript(nowMs: number, ask: Ask, given: Partial<BudgetAsks> = {}) {
    const {
      answers: [figures],
      states,
    } = await askAll(nowMs, [askedFor([ask], given)]);
    const state = states.get(ask.budget);
    if (!figures || !state) throw new Error('no answer');
    return { figures, state };
  }

  interface Step {
    readonly pause: number;
    readonly key: string | null;
    readonly spend: number;
    readonly needs: number;
    readonly perMinute: number;
    readonly perDay: number | null;
    readonly lift: boolean;
    readonly repeat: number;
  }

  const step: fc.Arbitrary<Step> = fc.record({
    pause: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(599, 600, 601, 999, 1_000, 1_999, 2_000, 2_001, 20_000, 60_000, 86_400_000),
      },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 100_000_000 }) },
      // A clock that is set back, as after a failover to another machine.
      { weight: 1, arbitrary: fc.integer({ min: -60_000_000, max: 0 }) },
      { weight: 1, arbitrary: fc.integer({ min: -5_000, max: 0 }) },
    ),
    key: fc.constantFrom('k1', 'k1', 'k2', 'k3', null),
    spend: fc.constantFrom(1, 1, 1, 0, 10),
    needs: fc.constantFrom(1, 1, 1, 3, 10, 30),
    perMinute: fc.constantFrom(5, 5, 20, 300),
    perDay: fc.constantFrom(100, 1_000, 12, null),
    lift: fc.integer({ min: 0, max: 20 }).map((draw) => draw === 0),
    repeat: fc.constantFrom(1, 3, 30, 80),
  });

  /** A client that goes on, in one second after the other. */
  const goingOn: fc.Arbitrary<readonly Step[]> = fc
    .tuple(step, fc.constantFrom(999, 1_000, 1_001, 1_180), fc.integer({ min: 2, max: strikesOfABan + 4 }))
    .map(([first, pause, times]) => [
      first,
      ...Array.from({ length: times }, () => ({ ...first, pause, spend: 1, lift: false, repeat: 1 })),
    ]);

  /** What of a state can still change a decision: the script need not store that something has expired. */
  const inForce = ({ budget, conduct }: QuotaState, nowMs: number): QuotaState => ({
    budget: currentBudget(budget, nowMs),
    conduct: currentConduct(conduct, '', nowMs, null),
  });

  /** Takes the steps in the script and in the reference, which have to agree each time; how many times that was. */
  async function compare(steps: readonly Step[], start: number): Promise<number> {
    await redis.flushall();
    let now = start;
    let compared = 0;
    let state = nothingSpent;
    for (const { pause, key, spend, perMinute, perDay, lift, repeat, ...wanted } of steps) {
      now += pause;
      const needs = Math.min(wanted.needs, perMinute, perDay ?? perMinute);
      const ask: Ask = { ...plain, key, spend, needs, limits: { perMinute, perDay }, liftedAt: lift ? now : null };
      const { answers, states } = await askAll(now, [askedFor(Array.from({ length: repeat }, () => ask))]);
      const expected: Figures[] = [];
      for (let count = 0; count < repeat; count += 1) {
        const { figures, after } = decideQuota(state, ask, now);
        expected.push(figures);
        state = after;
      }
      expect(answers).toEqual(expected);
      const stored = readState(states.get('a:acme') ?? nothing);
      expect(inForce(stored, now)).toEqual(inForce(state, now));
      state = stored;
      compared += repeat;
    }
    return compared;
  }

  describe('the script', () => {
    it('says what the reference says, step by step, for any history', async () => {
      let compared = 0;
      const oneOrMany = fc.oneof({ weight: 4, arbitrary: step.map((one) => [one]) }, { weight: 1, arbitrary: goingOn });
      const histories = fc.array(oneOrMany, { minLength: 1, maxLength: 12 }).map((parts) => parts.flat());
      await fc.assert(
        fc.asyncProperty(histories, fc.integer({ min: 0, max: 9_999 }), async (steps, start) => {
          compared += await compare(steps, noon + start);
        }),
        { numRuns: 250 },
      );
      expect(compared).toBeGreaterThan(20_000);
    }, 120_000);

    const usual: Step = {
      pause: 0,
      key: 'k1',
      spend: 1,
      needs: 1,
      perMinute: 5,
      perDay: 100_000,
      lift: false,
      repeat: 1,
    };
    const strikes = (count: number) => [
      { repeat: 5 + 1 },
      { pause: 2_001 },
      ...Array.from({ length: count - 1 }, () => ({ pause: 1_000 })),
    ];
    const toTheBan = strikes(strikesOfABan);
    const almost = strikes(strikesOfABan - 1);
    it.each<[string, readonly Partial<Step>[], readonly number[]]>([
      ['a moment that shares an entry', [{ perMinute: 300, repeat: 40 }], [599, 600, 601]],
      ['two seconds of grace', [{ repeat: 30 }], [1_999, 2_000, 2_001]],
      ['a second, which is one strike', [...almost, { pause: 1 }], [998, 999, 1_000]],
      ['nineteen seconds of strikes', almost, [2_998, 2_999, 3_000, 3_999, 4_000]],
      ['nineteen seconds of strikes after a ban', [...toTheBan, { pause: 200_000 }, ...almost], [2_999, 3_000]],
      ['the end of a ban', toTheBan, [59_999, 60_000, 60_001]],
      ['a clean day', toTheBan, [86_459_999, 86_460_000, 86_460_001]],
      ['midnight', [{ perMinute: 100, perDay: 12, repeat: 20 }], [43_199_999, 43_200_000]],
      [
        'the day in which a ban can be lifted, for a key that is admitted and refused in one batch',
        [...toTheBan, { pause: 86_400_000, perMinute: 20, perDay: 12, repeat: 20 }],
        [59_999, 60_000, 60_001],
      ],
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

    it('says what the reference says of a whole batch of many accounts, and packs states as it does', async () => {
      const names = Array.from({ length: 7 }, (_, index) => `a:${index}`);
      const each = Math.floor(mostInBatch / names.length);
      const states = new Map<string, QuotaState>();
      for (let turn = 0; turn < 8; turn += 1) {
        const now = noon + turn * 700;
        const asks = names.map((budget) => Array.from({ length: each }, () => ({ ...plain, budget })));
        const reply = await askAll(
          now,
          asks.map((ofBudget) => askedFor(ofBudget)),
        );
        const expected = asks.flat().map((ask) => {
          const { figures, after } = decideQuota(states.get(ask.budget) ?? nothingSpent, ask, now);
          states.set(ask.budget, after);
          return figures;
        });
        expect(reply.answers).toEqual(expected);
        for (const budget of names)
          expect(reply.states.get(budget)).toEqual(writeState(states.get(budget) ?? nothingSpent));
      }
    });

    it('says what the reference says of counts as large as plans allow', async () => {
      const entry = fc.tuple(fc.nat({ max: 700 }), fc.nat({ max: 200_000 }));
      await fc.assert(
        fc.asyncProperty(
          fc.array(entry, { maxLength: 12 }),
          fc.nat({ max: 59_999 }),
          fc.constantFrom(1_000, 500_000),
          async (entries, late, perMinute) => {
            let at = noon;
            const log = entries.map(([span, count]) => {
              const firstMs = at;
              at += span + 1;
              return { firstMs, lastMs: firstMs + span, count: count + 1 };
            });
            const state = { ...nothingSpent, budget: { log, day: today, dayCount: 9_000_000 } };
            const ask: Ask = { ...plain, limits: { perMinute, perDay: 1_000_000_000 } };
            await redis.set(stateKey('a:acme'), writeState(state));
            const { figures } = await askScript(noon + late, ask);
            expect(figures).toEqual(decideQuota(state, ask, noon + late).figures);
          },
        ),
        { numRuns: 500 },
      );
    });

    it('leaves nothing without an end in Redis', async () => {
      for (let count = 0; count < 60; count += 1) await askScript(noon + count * 3_000, plain);
      await askScript(noon + 200_000, {
        ...plain,
        budget: 'ip:192.0.2.1',
        key: null,
        limits: { perMinute: 5, perDay: null },
      });
      const keys = await redis.keys('{q:*');
      expect(keys.toSorted()).toEqual([stateKey('a:acme'), stateKey('ip:192.0.2.1')].toSorted());
      for (const key of [...keys, 'test:batches']) expect(await redis.ttl(key)).toBeGreaterThan(0);
    });

    it('remembers no more than 64 troubled keys of an account', async () => {
      const asks = Array.from({ length: 90 }, (_, index) => ({ ...plain, key: `k${index}` }));
      const { states } = await askAll(noon, [askedFor(asks)]);
      expect(readState(states.get('a:acme') ?? nothing).conduct.keys.size).toBe(64);
    });

    // Would fail if a broken value of one account made the whole batch fail, and with it the decisions of all others in it.
    it('takes a value that it did not write for nothing, and decides for all others of the batch', async () => {
      const { state } = await askScript(noon, plain);
      const broken = [
        state.subarray(0, 18),
        Buffer.concat([state.subarray(0, 6), Buffer.from([9]), state.subarray(7)]),
        Buffer.concat([state, Buffer.from('x')]),
        Buffer.concat([state, Buffer.alloc(10, 7), Buffer.alloc(30, 255)]),
        Buffer.from('text'),
      ];
      for (const value of broken) {
        await redis.set(stateKey('a:acme'), value);
        const { answers } = await askAll(noon, [askedFor([plain]), askedFor([{ ...plain, budget: 'a:other' }])]);
        expect(answers).toMatchObject([{ kind: 'allowed' }, { kind: 'allowed' }]);
        await redis.del(stateKey('a:other'));
      }
    });

    it('keeps a value of at most 44 bytes for an account that asks now and then, which Redis stores with its key', async () => {
      await askScript(noon, plain);
      expect((await askScript(noon + 5_000, plain)).state.length).toBeLessThanOrEqual(44);
    });

    it('writes nothing of a budget when it only looks', async () => {
      const { state } = await askScript(noon, { ...plain, spend: 0 });
      expect(state).toHaveLength(0);
      expect(await redis.keys('{q:*')).toEqual([]);
    });
  });

  describe('a Redis that has lost data', () => {
    /** Five requests, all that the minute allows; what the process knows then. */
    async function known() {
      let state: Buffer = nothing;
      for (let count = 0; count < 5; count += 1) ({ state } = await askScript(noon, plain));
      return { state, answered: number };
    }

    const batchAfter = (answered: number, given: Partial<BudgetAsks> = {}) => ({
      number: nextNumber(),
      answered,
      budgets: [askedFor([plain], given)],
    });

    it('says so to a process that was answered before, and decides nothing until it has its seed', async () => {
      const { state, answered } = await known();
      await redis.flushall();
      expect(await runBatch(noon, batchAfter(answered))).toMatchObject({ outcome: 'lost', answers: [] });
      expect(await redis.exists(stateKey('a:acme'))).toBe(0);
      const { answers } = await runBatch(noon, batchAfter(0, { seed: state }));
      expect(answers).toMatchObject([{ kind: 'limited' }]);
      await redis.flushall();
      expect((await askScript(noon, plain)).figures.kind).toBe('allowed');
    });

    // Would fail if what others have asked for since, on the same budget, hid that this process' last batches are lost.
    it('says so, too, where its state is older than what the process was answered, as after a failover', async () => {
      const { state, answered } = await known();
      const older = { ...readState(state), budget: { ...readState(state).budget, log: [], dayCount: 2 } };
      await redis.set(stateKey('a:acme'), writeState(older));
      await redis.set('test:batches', String(answered - 3));
      expect((await runBatch(noon, batchAfter(answered))).outcome).toBe('lost');
      const { answers } = await runBatch(noon, batchAfter(0, { seed: state }));
      expect(answers).toMatchObject([{ kind: 'limited', used: 5, dayCount: 5 }]);
    });

    it('decides for a process that remembers nothing of the budget', async () => {
      const { answered } = await known();
      await redis.flushall();
      expect((await runBatch(noon, batchAfter(answered))).outcome).toBe('lost');
      expect((await askScript(noon, plain)).figures.kind).toBe('allowed');
    });

    it('says the same of a batch without decisions, and remembers nothing of it', async () => {
      const { answered } = await known();
      await redis.flushall();
      expect((await runBatch(noon, { number: nextNumber(), answered, budgets: [] })).outcome).toBe('lost');
      expect(await redis.exists('test:batches')).toBe(0);
    });

    it('takes of every seed what it knows more of, as the first to ask may know least', async () => {
      const limits = { perMinute: 100, perDay: 1_000 };
      const seen: Buffer[] = [];
      for (let count = 0; count < 40; count += 1)
        seen.push((await askScript(noon + count * 500, { ...plain, limits })).state);
      const [least, most] = [seen[2], seen[39]] as [Buffer, Buffer];
      await redis.flushall();
      await askScript(noon + 20_000, { ...plain, limits }, { seed: least });
      const { figures } = await askScript(noon + 20_000, { ...plain, limits }, { seed: most });
      // The one that was admitted in between shares its entry with some that had been lost, and is lost with the larger count.
      expect(figures).toMatchObject({ used: 41, dayCount: 41 });
      const again = await askScript(noon + 20_000, { ...plain, limits, spend: 0 }, { seed: least });
      expect(again.figures.used).toBe(41);
    });

    // Would fail if what a process admitted alone were counted before the state that it comes on top of: the larger one would stand for both.
    it('counts a debt on top of the seed that it comes with', async () => {
      const { state } = await known();
      await redis.flushall();
      const debt = { log: [{ firstMs: noon, lastMs: noon + 5, count: 4 }], day: today, dayCount: 4 };
      const look = { ...plain, spend: 0, key: null };
      const { figures } = await askScript(noon + 10, look, { seed: state, debt });
      expect(figures).toMatchObject({ dayCount: 9, used: 9 });
    });

    /** Goes on until the key is banned; the state, and when that was. */
    async function banned() {
      for (let count = 0; count < 6; count += 1) await askScript(noon, plain);
      let at = noon + 1_001;
      for (let strike = 0; strike < strikesOfABan; strike += 1) {
        at += 1_000;
        const { figures, state } = await askScript(at, plain);
        if (figures.kind === 'banned') return { seed: state, at };
      }
      throw new Error('no ban');
    }

    it('takes no strikes and bans from a seed where it has its own', async () => {
      const { seed, at } = await banned();
      await askScript(at + 1_000, { ...plain, liftedAt: at + 500 });
      expect((await askScript(at + 1_000, plain, { seed })).figures.kind).toBe('limited');
    });

    // Would fail if a process that asks first after a loss brought back a ban that was lifted meanwhile.
    it('lifts a ban that a seed brings back', async () => {
      const { seed, at } = await banned();
      await redis.flushall();
      const lifted = { ...plain, liftedAt: at + 500 };
      expect((await askScript(at + 1_000, lifted, { seed })).figures.kind).toBe('limited');
    });

    const log = fc
      .array(fc.tuple(fc.nat({ max: 4_000 }), fc.nat({ max: 1_500 }), fc.integer({ min: 1, max: 50 })), {
        maxLength: 45,
      })
      .map((entries) => {
        let firstMs = noon - 50_000;
        return entries.map(([pause, span, count]) => {
          firstMs += 1 + (pause % 40) * 25;
          return { firstMs, lastMs: firstMs + span, count };
        });
      });
    const withLog = (minute: MinuteLog) => ({ ...nothingSpent, budget: { log: minute, day: today, dayCount: 0 } });
    const look = { ...plain, spend: 0, key: null };

    it('joins what it has with a seed, and with a debt, as the reference does, however many entries they have', async () => {
      await fc.assert(
        fc.asyncProperty(log, log, async (stored, other) => {
          const now = noon + 5_000;
          await redis.set(stateKey('a:acme'), writeState(withLog(stored)));
          const both = (combine: (one: number, two: number) => number) =>
            current(joined(current(stored, now), current(other, now), combine), now);
          const seeded = await askScript(now, look, { seed: writeState(withLog(other)) });
          expect(readState(seeded.state).budget.log).toEqual(both(Math.max));
          await redis.set(stateKey('a:acme'), writeState(withLog(stored)));
          const paid = await askScript(now, look, { debt: { log: other, day: today, dayCount: 1 } });
          expect(readState(paid.state).budget.log).toEqual(both((one, two) => one + two));
        }),
        { numRuns: 300 },
      );
    });

    it('takes strikes and bans from a seed where it has none', async () => {
      const { seed, at } = await banned();
      await redis.flushall();
      await askScript(at + 1_000, { ...plain, key: 'k9' });
      expect((await askScript(at + 1_000, plain, { seed })).figures).toMatchObject({ kind: 'banned', step: 1 });
    });

    it('knows a seed’s day as over when it is, and its minute too', async () => {
      const { state } = await known();
      await redis.flushall();
      const later = await askScript(noon + 86_400_000, { ...plain, spend: 0 }, { seed: state });
      expect(later.figures).toMatchObject({ used: 0, dayCount: 0 });
    });
  });

  describe('what a process admitted alone', () => {
    const debt = { log: [{ firstMs: noon - 500, lastMs: noon - 100, count: 3 }], day: today, dayCount: 3 };

    it('is counted before the request that brings it', async () => {
      expect((await askScript(noon, plain, { debt })).figures).toMatchObject({ used: 4, dayCount: 4 });
    });

    it('is counted now where the process’ clock is ahead', async () => {
      const ahead = { ...debt, log: [{ firstMs: noon + 5_000, lastMs: noon + 9_000, count: 3 }] };
      expect((await askScript(noon, plain, { debt: ahead })).figures.used).toBe(4);
      expect((await askScript(noon + 60_001, { ...plain, spend: 0 })).figures.used).toBe(0);
    });

    it('counts for the day alone once its minute is over, and not for another day', async () => {
      const late = await askScript(noon + 61_000, plain, { debt });
      expect(late.figures).toMatchObject({ used: 1, dayCount: 4 });
      const nextDay = await askScript(noon + 86_400_000, plain, { debt });
      expect(nextDay.figures).toMatchObject({ used: 1, dayCount: 1 });
    });
  });

  describe('batches', () => {
    const one = [askedFor([plain])];

    it('that come again, or after a later one, change nothing', async () => {
      await runBatch(noon, { number: 4, answered: 0, budgets: one });
      for (const stale of [4, 3])
        expect(await runBatch(noon, { number: stale, answered: 0, budgets: one })).toMatchObject({
          outcome: 'stale',
          answers: [],
        });
      const { answers } = await runBatch(noon, { number: 5, answered: 4, budgets: one });
      expect(answers).toMatchObject([{ used: 2 }]);
    });

    it('of which the last two are remembered with what they spent, however many empty ones follow', async () => {
      const three = [askedFor([plain, { ...plain, spend: 0 }, plain])];
      await runBatch(noon, { number: 1, answered: 0, budgets: three });
      const others = [
        askedFor(Array<Ask>(6).fill(plain)),
        askedFor(Array<Ask>(6).fill({ ...plain, budget: 'a:other' })),
      ];
      await runBatch(noon, { number: 2, answered: 0, budgets: others });
      await runBatch(noon, { number: 3, answered: 0, budgets: three });
      await runBatch(noon, { number: 4, answered: 0, budgets: [] });
      const { earlier, answers } = await runBatch(noon, { number: 5, answered: 0, budgets: [] });
      expect(answers).toEqual([]);
      expect(earlier).toEqual(
        new Map([
          [3, '000'],
          [2, '111000111110'],
        ]),
      );
    });

    // Would fail in a process that has sent a thousand batches a second for fifty days.
    it('have numbers beyond 32 bits', async () => {
      await runBatch(noon, { number: 2 ** 32 - 1, answered: 0, budgets: one });
      const { answers } = await runBatch(noon, { number: 2 ** 32 + 7, answered: 2 ** 32 - 1, budgets: one });
      expect(answers).toMatchObject([{ used: 2 }]);
      expect((await runBatch(noon, { number: 2 ** 32 + 6, answered: 0, budgets: one })).outcome).toBe('stale');
      const { earlier } = await runBatch(noon, { number: 2 ** 32 + 8, answered: 2 ** 32 + 7, budgets: [] });
      expect([...earlier.keys()]).toEqual([2 ** 32 + 7, 2 ** 32 - 1]);
    });

    it('give up those before them that have not come', async () => {
      await runBatch(noon, { number: 9, answered: 0, budgets: [] });
      expect((await runBatch(noon, { number: 8, answered: 0, budgets: one })).outcome).toBe('stale');
      expect(await redis.exists(stateKey('a:acme'))).toBe(0);
    });
  });
}
