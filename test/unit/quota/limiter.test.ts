import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import type { Attempt } from '../../../src/quota/decision-batches.ts';
import { createLimiter } from '../../../src/quota/limiter.ts';
import type { Figures } from '../../../src/quota/quota-decision.ts';
import { decideQuota, nothingSpent } from '../../../src/quota/quota-decision.ts';
import type { Ask, Decision } from '../../../src/quota/quota-port.ts';
import type { Batch, BatchReply } from '../../../src/quota/batch-encoding.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { writeState } from '../../support/quota-state.ts';

/** The limiter with a Redis that answers when the test says so. */

const noon = Date.parse('2026-01-01T12:00:00Z');
const ask: Ask = { budget: 'a:acme', key: 'k1', limits: { perMinute: 60, perDay: 1_000 }, liftedAt: null, spend: 1 };

interface Sent {
  readonly batch: Batch;
  answer(given?: Partial<BatchReply>): void;
  fail(name?: string): void;
}

const figuresOf = (one: Ask): Figures => decideQuota(nothingSpent, one, noon).figures;

function setUp(replicas = 1) {
  const clock = createFakeClock(noon);
  const sent: Sent[] = [];
  const outcomes: Attempt['outcome'][] = [];
  const redis = { isThere: true };
  const limiter = createLimiter({
    client: {
      ready: () => redis.isThere,
      run(batch) {
        const { promise, resolve, reject } = Promise.withResolvers<BatchReply>();
        const answers = batch.budgets.flatMap(({ asks }) => asks.map(figuresOf));
        const reply: BatchReply = { nowMs: noon, outcome: 'decided', earlier: new Map(), answers, states: new Map() };
        sent.push({
          batch,
          answer: (given = {}) => resolve({ ...reply, ...given }),
          fail: (name = 'Error') => reject(Object.assign(new Error('failed'), { name })),
        });
        return promise;
      },
      close: () => Promise.resolve(),
    },
    replicas: () => replicas,
    clock,
    observe: ({ outcome }) => outcomes.push(outcome),
  });
  return { clock, sent, outcomes, redis, limiter };
}

type Setup = ReturnType<typeof setUp>;

/** The requests of a batch, the first one of each budget with what is told of it. */
const asksOf = (sent: Sent | undefined) =>
  (sent?.batch.budgets ?? []).flatMap(({ asks, seed, debt }) =>
    asks.map((one, index) => ({ ask: one, ...(index === 0 ? { seed, debt } : { seed: null, debt: null }) })),
  );

/** Asks in one turn of the event loop; what was sent by the end of it. */
async function askAtOnce({ limiter }: Setup, asks: readonly Ask[]): Promise<readonly Promise<Decision>[]> {
  const decisions = asks.map((one) => limiter.decide(one));
  await turn();
  return decisions;
}

const times = (count: number, one = ask): readonly Ask[] => Array.from({ length: count }, () => one);

/** Three requests without an answer: they are decided alone, and an empty batch waits. */
async function freeze(setup: Setup): Promise<void> {
  const decisions = await askAtOnce(setup, times(3));
  await setup.clock.advance(25);
  for (const decision of decisions) expect((await decision).degraded).toBe(true);
  await settled();
}

/** Lets what follows from an answer happen. */
const settled = async () => {
  for (let count = 0; count < 5; count += 1) await turn();
};

describe('batches', () => {
  it('take what arrives in one turn of the event loop, two are under way at most, and the rest waits for an answer', async () => {
    const setup = setUp();
    void (await askAtOnce(setup, times(3)));
    void (await askAtOnce(setup, times(2)));
    void (await askAtOnce(setup, times(200)));
    expect(setup.sent.map((one) => asksOf(one).length)).toEqual([3, 2]);
    setup.sent[0]?.answer();
    await settled();
    setup.sent[1]?.answer();
    await settled();
    expect(setup.sent.map((one) => asksOf(one).length)).toEqual([3, 2, 128, 72]);
    expect(setup.sent.map(({ batch }) => batch.number)).toEqual([1, 2, 3, 4]);
  });

  it('answer each request with its own decision', async () => {
    const setup = setUp();
    const [one, two] = await askAtOnce(setup, [
      ask,
      { ...ask, budget: 'a:other', limits: { perMinute: 0, perDay: null } },
    ]);
    setup.sent[0]?.answer();
    expect([(await one)?.kind, (await two)?.kind]).toEqual(['allowed', 'limited']);
    expect(setup.outcomes).toEqual(['ok']);
  });

  it('ask again with the seed where Redis has lost data', async () => {
    const setup = setUp();
    const [decided] = await askAtOnce(setup, [ask]);
    setup.sent[0]?.answer({ states: new Map([[ask.budget, Buffer.from('what Redis knew')]]) });
    await decided;
    const [again] = await askAtOnce(setup, [ask]);
    expect(setup.sent[1]?.batch.answered).toBe(1);
    setup.sent[1]?.answer({ outcome: 'lost', answers: [] });
    await settled();
    expect(setup.sent[2]?.batch).toMatchObject({ answered: 0, budgets: [{ seed: Buffer.from('what Redis knew') }] });
    setup.sent[2]?.answer({ states: new Map([[ask.budget, Buffer.from('what Redis knows')]]) });
    expect((await again)?.degraded).toBe(false);
    void (await askAtOnce(setup, [ask]));
    expect(setup.sent[3]?.batch).toMatchObject({ answered: 3, budgets: [{ seed: null }] });
  });
});

describe('a Redis that does not answer', () => {
  it('is asked nothing but an empty batch, whatever comes meanwhile', async () => {
    const setup = setUp();
    await freeze(setup);
    for (let count = 0; count < 20; count += 1) expect((await setup.limiter.decide(ask)).degraded).toBe(true);
    expect(setup.sent.map((one) => asksOf(one).length)).toEqual([3, 0]);
    expect(setup.outcomes).toEqual(['timeout', ...Array<string>(20).fill('skipped')]);
  });

  it('decides again once it answered the empty batch, unless that took as long', async () => {
    const setup = setUp();
    await freeze(setup);
    await setup.clock.advance(100);
    await settled();
    setup.sent[1]?.answer();
    await settled();
    expect((await setup.limiter.decide(ask)).degraded).toBe(true);
    await setup.clock.advance(200);
    setup.sent[2]?.answer();
    await settled();
    void (await askAtOnce(setup, [ask]));
    expect(asksOf(setup.sent.at(-1)).map(({ ask: { spend } }) => spend)).toContain(1);
  });

  it('is owed nothing for what it turns out to have counted: by a late answer, or by what it remembers', async () => {
    for (const isLate of [true, false]) {
      const setup = setUp();
      await freeze(setup);
      if (isLate) setup.sent[0]?.answer();
      else setup.sent[0]?.fail();
      await settled();
      setup.sent[1]?.answer(isLate ? {} : { earlier: new Map([[1, '111']]) });
      await settled();
      await setup.clock.advance(300);
      void (await askAtOnce(setup, [ask]));
      expect(asksOf(setup.sent.at(-1)).map(({ debt }) => debt)).toEqual([null]);
    }
  });

  it.each<[string, (setup: Setup) => void, number]>([
    ['does not remember', ({ sent }) => sent[1]?.answer(), 3],
    ['spent less for', ({ sent }) => sent[1]?.answer({ earlier: new Map([[1, '011']]) }), 1],
  ])('is told, without a request, of what was admitted by a batch that it %s', async (_, recall, owed) => {
    const setup = setUp();
    await freeze(setup);
    setup.sent[0]?.fail();
    await settled();
    recall(setup);
    await settled();
    expect(asksOf(setup.sent[2])).toMatchObject([{ ask: { spend: 0, key: null }, debt: { dayCount: owed } }]);
  });

  // Would fail if the first process to come back spent, in a Redis that lost its data, what the others admitted alone.
  it('is told what was admitted as soon as it is back, and decides a moment later, when all others have told it, too', async () => {
    const setup = setUp();
    await freeze(setup);
    setup.sent[0]?.fail();
    await settled();
    setup.sent[1]?.answer();
    await settled();
    setup.sent[2]?.answer();
    await settled();
    expect(asksOf(setup.sent[2])).toMatchObject([{ debt: { dayCount: 3 } }]);
    await setup.clock.advance(299);
    expect((await setup.limiter.decide(ask)).degraded).toBe(true);
    await setup.clock.advance(1);
    await settled();
    expect(asksOf(setup.sent[3])).toMatchObject([{ debt: { dayCount: 1 } }]);
    void (await askAtOnce(setup, [ask]));
    expect(asksOf(setup.sent.at(-1))).toMatchObject([{ ask: { spend: 1 } }]);
  });

  it('that refuses a batch has counted nothing of it', async () => {
    const setup = setUp();
    const [decided] = await askAtOnce(setup, [ask]);
    setup.sent[0]?.fail('ReplyError');
    expect((await decided)?.degraded).toBe(true);
    await settled();
    setup.sent[1]?.answer();
    await settled();
    expect(asksOf(setup.sent[2])).toMatchObject([{ debt: { dayCount: 1 } }]);
  });

  it('gets a debt again whose batch it does not remember, and one that it counted no more', async () => {
    const setup = setUp();
    setup.redis.isThere = false;
    for (let count = 0; count < 5; count += 1) await setup.limiter.decide(ask);
    setup.redis.isThere = true;
    await setup.clock.advance(200);
    setup.sent[0]?.answer();
    await settled();
    expect(asksOf(setup.sent[1])).toMatchObject([{ debt: { dayCount: 5 } }]);
    setup.sent[1]?.fail();
    await settled();
    setup.sent[2]?.answer();
    await setup.clock.advance(200);
    expect(asksOf(setup.sent[3])).toMatchObject([{ debt: { dayCount: 5 } }]);
    setup.sent[3]?.fail();
    await settled();
    setup.sent[4]?.answer({ earlier: new Map([[setup.sent[3]?.batch.number ?? 0, '0']]) });
    await settled();
    await setup.clock.advance(500);
    void (await askAtOnce(setup, [ask]));
    expect(asksOf(setup.sent.at(-1)).map(({ debt }) => debt)).toEqual([null]);
  });

  it.each([
    [1, 60],
    [2, 30],
    [7, 8],
    [100, 1],
  ])('leaves this process among %i to admit %i of sixty in a minute', async (replicas, share) => {
    const setup = setUp(replicas);
    setup.redis.isThere = false;
    const decisions = await Promise.all(times(80, { ...ask, key: null }).map((one) => setup.limiter.decide(one)));
    expect(decisions.filter(({ kind }) => kind === 'allowed')).toHaveLength(share);
    expect(decisions.every(({ degraded, minute }) => degraded && minute.limit === 60)).toBe(true);
  });

  // Would fail if a process that is busy for longer than the deadline stayed alone until it is idle.
  it('decides again where its answer arrived in time and this process read it late', async () => {
    const setup = setUp();
    await freeze(setup);
    const advanced = setup.clock.advance(40);
    setup.sent[1]?.answer();
    await advanced;
    await settled();
    void (await askAtOnce(setup, [ask]));
    expect(asksOf(setup.sent.at(-1))).toMatchObject([{ ask: { spend: 1 } }]);
  });

  it('is asked again where it never answers the empty batch', async () => {
    const setup = setUp();
    await freeze(setup);
    await setup.clock.advance(499);
    expect(setup.sent).toHaveLength(2);
    await setup.clock.advance(1 + 200);
    await settled();
    expect(setup.sent.map((one) => asksOf(one).length)).toEqual([3, 0, 0]);
    setup.sent[2]?.answer();
    await settled();
    expect((await askAtOnce(setup, [ask])).length).toBe(1);
    expect(asksOf(setup.sent.at(-1))).toMatchObject([{ ask: { spend: 1 } }]);
  });

  // Would fail if a question that was given up settled, by its late answer, batches that were sent since: they may be executed yet.
  it('says nothing, by a late answer, of what was sent after the question', async () => {
    const setup = setUp();
    await freeze(setup);
    await setup.clock.advance(500 + 200);
    await settled();
    setup.sent[2]?.answer({ earlier: new Map([[1, '111']]) });
    await settled();
    await freeze(setup);
    setup.sent[1]?.answer();
    await settled();
    const [later, question] = setup.sent.slice(-2);
    question?.answer({ earlier: new Map([[later?.batch.number ?? 0, '111']]) });
    await settled();
    await setup.clock.advance(500);
    void (await askAtOnce(setup, [ask]));
    expect(asksOf(setup.sent.at(-1))).toMatchObject([{ ask, debt: null }]);
  });

  // Would fail if everybody waited for the deadline again and again while a slot moves, as what has no keys is answered then.
  it('that answers what has no decisions in it, and nothing else, is asked for decisions five times a second', async () => {
    const setup = setUp();
    await freeze(setup);
    setup.sent[1]?.answer();
    await settled();
    await freeze(setup);
    setup.sent.at(-1)?.answer();
    await settled();
    const before = setup.sent.length;
    expect((await setup.limiter.decide(ask)).degraded).toBe(true);
    expect(setup.sent).toHaveLength(before);
    await setup.clock.advance(200);
    await settled();
    void (await askAtOnce(setup, [ask]));
    expect(setup.sent.length).toBeGreaterThan(before);
  });

  it('does not keep the limiter from ending, nor from deciding', async () => {
    const setup = setUp();
    await freeze(setup);
    await setup.limiter.close();
    expect((await setup.limiter.decide(ask)).degraded).toBe(true);
    await setup.clock.advance(1_000);
    expect(setup.sent).toHaveLength(2);
  });
});

describe('a request', () => {
  // Would fail if one whose state Redis lost waited for a batch that nobody sends while Redis is away.
  it('does not wait for the seed once another batch was given up', async () => {
    const setup = setUp();
    void (await askAtOnce(setup, [ask]));
    await setup.clock.advance(20);
    const [late] = await askAtOnce(setup, [{ ...ask, budget: 'a:lost' }]);
    await setup.clock.advance(5);
    await settled();
    setup.sent[1]?.answer({ outcome: 'lost', answers: [] });
    expect((await late)?.degraded).toBe(true);
  });

  it('that waits for the next turn of the event loop is decided alone when another finds the connection gone', async () => {
    const setup = setUp();
    const waiting = setup.limiter.decide(ask);
    setup.redis.isThere = false;
    expect((await setup.limiter.decide(ask)).degraded).toBe(true);
    expect((await waiting).degraded).toBe(true);
    setup.redis.isThere = true;
    await setup.clock.advance(200);
    setup.sent[0]?.answer();
    await settled();
    expect(asksOf(setup.sent[1])).toMatchObject([{ debt: { dayCount: 2 } }]);
  });
});

it('a budget of which very many requests wait has the next ones decided alone, on what Redis said last', async () => {
  const setup = setUp();
  const spent = writeState(decideQuota(nothingSpent, { ...ask, spend: 60 }, noon).after);
  await freeze(setup);
  setup.sent[1]?.answer();
  await settled();
  setup.sent.at(-1)?.answer({ states: new Map([[ask.budget, spent]]) });
  await settled();
  const decisions = await askAtOnce(setup, times(2 * 128 + 1_024 + 1, { ...ask, key: null }));
  expect(await decisions.at(-1)).toMatchObject({ kind: 'limited', degraded: true });
});

describe('a refusal', () => {
  const few = { ...ask, limits: { perMinute: 0, perDay: null } };
  const figures = { ...figuresOf(few), minuteResetsAtMs: noon + 30_000 };

  /** By Redis, which has answered once. */
  const refusedOnce = async () => {
    const setup = setUp();
    const [first] = await askAtOnce(setup, [few]);
    setup.sent[0]?.answer({ answers: [figures] });
    return { setup, decision: await first };
  };

  it('is answered from memory for as long as it changes nothing', async () => {
    const { setup, decision } = await refusedOnce();
    expect(decision?.kind).toBe('limited');
    await setup.clock.advance(2_000);
    for (let count = 0; count < 5; count += 1) expect((await setup.limiter.decide(few)).kind).toBe('limited');
    expect(setup.sent).toHaveLength(1);
    expect(setup.outcomes).toEqual(['ok', ...Array<string>(5).fill('remembered')]);
  });

  // Would fail if a key that goes on regardless were answered from memory for ever, and never banned.
  it('is asked of Redis again with each request that is a strike', async () => {
    const { setup } = await refusedOnce();
    await setup.clock.advance(2_001);
    const [strike] = await askAtOnce(setup, [few]);
    const nowMs = noon + 2_001;
    setup.sent[1]?.answer({ nowMs, answers: [{ ...figures, nowMs, nextStrikeMs: noon + 3_001 }] });
    await strike;
    await setup.clock.advance(999);
    expect((await setup.limiter.decide(few)).kind).toBe('limited');
    expect(setup.sent).toHaveLength(2);
    await setup.clock.advance(1);
    void (await askAtOnce(setup, [few]));
    expect(asksOf(setup.sent[2])).toMatchObject([{ ask: few }]);
  });
});
