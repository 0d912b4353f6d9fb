import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { currentConduct, strikesOfABan } from '../../src/quota/ban-state.ts';
import type { Disregarded } from '../../src/quota/ban-state.ts';
import type { Batch, BatchReply, ScriptAsk } from '../../src/quota/decision-script.ts';
import { budgetsOf, mostInBatch, packBatch, readReply, script } from '../../src/quota/decision-script.ts';
import type { Figures, QuotaState } from '../../src/quota/quota-decision.ts';
import { decideQuota, nothingSpent } from '../../src/quota/quota-decision.ts';
import type { MinuteLog } from '../../src/quota/minute-log.ts';
import { current, sumOf, unionOf } from '../../src/quota/minute-log.ts';
import type { Ask } from '../../src/quota/quota-port.ts';
import { currentBudget } from '../../src/quota/quota-windows.ts';
import { noVersion, readState, readVersion, writeState } from '../../src/quota/state-encoding.ts';
import { stateKey } from '../../src/quota/redis-script-client.ts';
import type { TestRedis } from './redis.ts';
import { fc } from './property.ts';

const clockLine = "local time = redis.call('TIME')";
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

  const scriptAsk = (ask: Ask, given: Partial<ScriptAsk> = {}): ScriptAsk => ({
    ask,
    version: noVersion,
    seed: null,
    debt: null,
    disregarded: null,
    ...given,
  });

  async function runBatch(nowMs: number, batch: Batch): Promise<BatchReply> {
    await redis.mset('test:s', Math.floor(nowMs / 1_000), 'test:us', (nowMs % 1_000) * 1_000);
    const budgets = budgetsOf(batch);
    const keys = ['test:batches', ...budgets.map(stateKey)];
    const commands = redis as unknown as { decideAtBuffer: (...args: unknown[]) => Promise<unknown> };
    return readReply(await commands.decideAtBuffer(keys.length, ...keys, packBatch(batch, budgets)), budgets);
  }

  function nextNumber(): number {
    number += 1;
    return number;
  }

  async function askAll(nowMs: number, asks: readonly ScriptAsk[]): Promise<BatchReply> {
    return runBatch(nowMs, { number: nextNumber(), asks });
  }

  async function askScript(nowMs: number, ask: Ask, given: Partial<ScriptAsk> = {}) {
    const { answers, states } = await askAll(nowMs, [scriptAsk(ask, given)]);
    const [answer] = answers ?? [];
    if (!answer) throw new Error('no answer');
    return { answer, figures: answer as Figures, state: states.get(ask.budget) ?? Buffer.alloc(0) };
  }

  interface Step {
    readonly pause: number;
    readonly key: string | null;
    readonly spend: number;
    readonly perMinute: number;
    readonly perDay: number | null;
    readonly lift: boolean;
    readonly disregarded: Disregarded | null;
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
    perMinute: fc.constantFrom(5, 5, 20, 300),
    perDay: fc.constantFrom(100, 1_000, 12, null),
    lift: fc.integer({ min: 0, max: 20 }).map((draw) => draw === 0),
    disregarded: fc.oneof(
      { weight: 5, arbitrary: fc.constant(null) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 2_500 }))
          .map(([ago, span]) => ({ firstMs: -ago - span, lastMs: -ago })),
      },
    ),
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
    for (const { pause, key, spend, perMinute, perDay, lift, repeat, ...given } of steps) {
      now += pause;
      const ask: Ask = { ...plain, key, spend, limits: { perMinute, perDay }, liftedAt: lift ? now : null };
      const disregarded = key !== null && given.disregarded ? moved(given.disregarded, now) : null;
      const reply = await askAll(
        now,
        Array.from({ length: repeat }, () => scriptAsk(ask, { disregarded })),
      );
      const expected: Figures[] = [];
      for (let count = 0; count < repeat; count += 1) {
        const { figures, after } = decideQuota(state, ask, now, disregarded);
        expected.push(figures);
        state = after;
      }
      expect(reply.answers).toEqual(expected);
      const stored = readState(reply.states.get('a:acme') ?? Buffer.alloc(0));
      expect(inForce(stored, now)).toEqual(inForce(state, now));
      state = stored;
      compared += repeat;
    }
    return compared;
  }

  const moved = ({ firstMs, lastMs }: Disregarded, now: number): Disregarded => ({
    firstMs: now + firstMs,
    lastMs: now + lastMs,
  });

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
      perMinute: 5,
      perDay: 100_000,
      lift: false,
      disregarded: null,
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
      [
        'a report that begins within a strike, or within the grace, and ends after it',
        [{ repeat: 6 }, { pause: 2_100, disregarded: { firstMs: -200, lastMs: 0 } }, ...almost.slice(2)],
        [900, 1_000, 1_100],
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
      const asks = Array.from({ length: mostInBatch }, (_, index) => ({ ...plain, budget: `a:${index % 7}` }));
      const states = new Map<string, QuotaState>();
      for (let turn = 0; turn < 8; turn += 1) {
        const now = noon + turn * 700;
        const reply = await askAll(
          now,
          asks.map((ask) => scriptAsk(ask)),
        );
        const expected = asks.map((ask) => {
          const { figures, after } = decideQuota(states.get(ask.budget) ?? nothingSpent, ask, now);
          states.set(ask.budget, after);
          return figures;
        });
        expect(reply.answers).toEqual(expected);
        for (const [budget, packed] of reply.states)
          expect(packed).toEqual(writeState(states.get(budget) ?? nothingSpent, readVersion(packed)));
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
            await redis.set(stateKey('a:acme'), writeState(state, { incarnation: 7, revision: 1 }));
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
      const asks = Array.from({ length: 90 }, (_, index) => scriptAsk({ ...plain, key: `k${index}` }));
      const { states } = await askAll(noon, asks);
      expect(readState(states.get('a:acme') ?? Buffer.alloc(0)).conduct.keys.size).toBe(64);
    });

    // Would fail if a broken value of one account made the whole batch fail, and with it the decisions of all others in it.
    it('takes a value that it did not write for nothing, and decides for all others of the batch', async () => {
      const { state } = await askScript(noon, plain);
      const broken = [
        state.subarray(0, 20),
        Buffer.concat([state.subarray(0, 24), Buffer.from([9]), state.subarray(25)]),
        Buffer.concat([state, Buffer.from('x')]),
        Buffer.concat([state, Buffer.alloc(10, 7), Buffer.alloc(30, 255)]),
        Buffer.from('text'),
      ];
      for (const value of broken) {
        await redis.set(stateKey('a:acme'), value);
        const { answers } = await askAll(noon, [scriptAsk(plain), scriptAsk({ ...plain, budget: 'a:other' })]);
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

  const knowing = (seed: Buffer) => ({ seed, version: readVersion(seed) });

  describe('a Redis that has lost data', () => {
    /** Five requests, all that the minute allows; what the process knows then. */
    async function known() {
      let state: Buffer = Buffer.alloc(0);
      for (let count = 0; count < 5; count += 1) ({ state } = await askScript(noon, plain));
      return { state, version: readVersion(state) };
    }

    it('wants the seed of a process that knows of another state, and decides nothing before', async () => {
      const { state, version } = await known();
      await redis.flushall();
      expect((await askScript(noon, plain, { version })).answer).toBe('seed wanted');
      expect(await redis.exists(stateKey('a:acme'))).toBe(0);
      expect((await askScript(noon, plain, { version, seed: state })).figures.kind).toBe('limited');
      await redis.flushall();
      expect((await askScript(noon, plain)).figures.kind).toBe('allowed');
    });

    it('wants it, too, of a state that is older than the one that the process knows, as after a failover', async () => {
      const { state, version } = await known();
      const older = writeState(
        { ...readState(state), budget: { ...readState(state).budget, log: [], dayCount: 2 } },
        { ...version, revision: 2 },
      );
      await redis.set(stateKey('a:acme'), older);
      expect((await askScript(noon, plain, { version })).answer).toBe('seed wanted');
      const { figures } = await askScript(noon, plain, { version, seed: state });
      expect(figures).toMatchObject({ kind: 'limited', used: 5, dayCount: 5 });
    });

    it('decides without a seed where the process has forgotten it', async () => {
      const { version } = await known();
      await redis.flushall();
      expect((await askScript(noon, plain, { version, seed: Buffer.alloc(0) })).figures.kind).toBe('allowed');
    });

    it('takes of every seed what it knows more of, as the first to ask may know least', async () => {
      const limits = { perMinute: 100, perDay: 1_000 };
      const seen: Buffer[] = [];
      for (let count = 0; count < 40; count += 1)
        seen.push((await askScript(noon + count * 500, { ...plain, limits })).state);
      const [least, most] = [seen[2], seen[39]] as [Buffer, Buffer];
      await redis.flushall();
      await askScript(noon + 20_000, { ...plain, limits }, knowing(least));
      const { figures } = await askScript(noon + 20_000, { ...plain, limits }, knowing(most));
      // The one that was admitted in between shares its entry with some that had been lost, and is lost with the larger count.
      expect(figures).toMatchObject({ used: 41, dayCount: 41 });
      const again = await askScript(noon + 20_000, { ...plain, limits, spend: 0 }, knowing(least));
      expect(again.figures.used).toBe(41);
    });

    // Would fail if what a process admitted alone were counted before the state that it comes on top of: the larger one would stand for both.
    it('counts a debt on top of the seed that it comes with', async () => {
      const { state } = await known();
      await redis.flushall();
      const debt = { log: [{ firstMs: noon, lastMs: noon + 5, count: 4 }], day: today, dayCount: 4 };
      const look = { ...plain, spend: 0, key: null };
      const { figures } = await askScript(noon + 10, look, { ...knowing(state), debt });
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

    it('takes nothing from a seed that it has not lost, as strikes that were lifted since', async () => {
      const { seed, at } = await banned();
      await askScript(at + 1_000, { ...plain, liftedAt: at + 500 });
      expect((await askScript(at + 1_000, plain, knowing(seed))).figures.kind).toBe('limited');
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
          const known = { incarnation: 7, revision: 1 };
          await redis.set(stateKey('a:acme'), writeState(withLog(stored), known));
          const seed = writeState(withLog(other), { incarnation: 8, revision: 1 });
          const seeded = await askScript(now, look, knowing(seed));
          expect(readState(seeded.state).budget.log).toEqual(
            current(unionOf(current(stored, now), current(other, now)), now),
          );
          await redis.set(stateKey('a:acme'), writeState(withLog(stored), known));
          const paid = await askScript(now, look, { debt: { log: other, day: today, dayCount: 1 } });
          const counting = other.filter(({ lastMs }) => lastMs + 60_000 > now);
          expect(readState(paid.state).budget.log).toEqual(current(sumOf(current(stored, now), counting), now));
        }),
        { numRuns: 300 },
      );
    });

    it('takes strikes and bans from a seed where it has none', async () => {
      const { seed, at } = await banned();
      await redis.flushall();
      await askScript(at + 1_000, { ...plain, key: 'k9' });
      expect((await askScript(at + 1_000, plain, knowing(seed))).figures).toMatchObject({ kind: 'banned', step: 1 });
    });

    it('knows a seed’s day as over when it is, and its minute too', async () => {
      const { state } = await known();
      await redis.flushall();
      const later = await askScript(noon + 86_400_000, { ...plain, spend: 0 }, knowing(state));
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
    it('that come again, or after a later one, change nothing', async () => {
      const asks = [scriptAsk(plain)];
      await runBatch(noon, { number: 4, asks });
      expect((await runBatch(noon, { number: 4, asks })).answers).toBeNull();
      expect((await runBatch(noon, { number: 3, asks })).answers).toBeNull();
      expect((await runBatch(noon, { number: 5, asks })).answers).toMatchObject([{ used: 2 }]);
    });

    it('of which the last two are remembered with what they spent, however many empty ones follow', async () => {
      const three = [scriptAsk(plain), scriptAsk({ ...plain, spend: 0 }), scriptAsk(plain)];
      await runBatch(noon, { number: 1, asks: three });
      await runBatch(noon, { number: 2, asks: Array.from({ length: 12 }, () => scriptAsk(plain)) });
      await runBatch(noon, { number: 3, asks: three });
      await runBatch(noon, { number: 4, asks: [] });
      const { earlier, answers } = await runBatch(noon, { number: 5, asks: [] });
      expect(answers).toEqual([]);
      expect([...earlier.keys()].toSorted()).toEqual([2, 3]);
      const spentOf = (of: number, count: number) =>
        Array.from({ length: count }, (_, index) => earlier.get(of)?.(index));
      expect(spentOf(2, 12)).toEqual([true, true, true, ...Array<boolean>(9).fill(false)]);
      expect(spentOf(3, 3)).toEqual([false, false, false]);
    });

    // Would fail in a process that has sent a thousand batches a second for fifty days.
    it('have numbers beyond 32 bits', async () => {
      const asks = [scriptAsk(plain)];
      await runBatch(noon, { number: 2 ** 32 - 1, asks });
      expect((await runBatch(noon, { number: 2 ** 32 + 7, asks })).answers).toMatchObject([{ used: 2 }]);
      expect((await runBatch(noon, { number: 2 ** 32 + 6, asks })).answers).toBeNull();
      const { earlier } = await runBatch(noon, { number: 2 ** 32 + 8, asks: [] });
      expect([...earlier.keys()]).toEqual([2 ** 32 + 7, 2 ** 32 - 1]);
    });

    it('give up those before them that have not come', async () => {
      await runBatch(noon, { number: 9, asks: [] });
      expect((await runBatch(noon, { number: 8, asks: [scriptAsk(plain)] })).answers).toBeNull();
      expect(await redis.exists(stateKey('a:acme'))).toBe(0);
    });
  });
}
