import { describe, expect, it } from '@jest/globals';
import { decideQuota, nothingSpent } from '../../../src/quota/quota-decision.ts';
import type { Attempt } from '../../../src/quota/limiter.ts';
import { createLimiter } from '../../../src/quota/limiter.ts';
import type { Ask } from '../../../src/quota/quota-port.ts';
import type { ScriptCall, Reply } from '../../../src/quota/redis-script.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

/** The limiter with a Redis that answers when the test says so. */

const noon = Date.parse('2026-01-01T12:00:00Z');
const ask: Ask = { budget: 'a:acme', key: 'k1', limits: { perMinute: 60, perDay: 1_000 }, liftedAt: null, spend: 1 };

interface Sent {
  readonly call: ScriptCall;
  answer(): void;
  fail(): void;
}

function setUp(replicas = 1) {
  const clock = createFakeClock(noon);
  const sent: Sent[] = [];
  const outcomes: Attempt['outcome'][] = [];
  const redis = { isThere: true };
  const limiter = createLimiter({
    sender: {
      ready: () => redis.isThere,
      send(call) {
        const { promise, resolve, reject } = Promise.withResolvers<Reply>();
        const { decision } = decideQuota(nothingSpent, call.ask, noon);
        const reply = { decision, budget: Buffer.alloc(0), key: Buffer.alloc(0) };
        sent.push({ call, answer: () => resolve(reply), fail: () => reject(new Error('closed')) });
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

/** Three requests that nobody answers open the breaker. */
async function freeze({ limiter }: ReturnType<typeof setUp>): Promise<void> {
  for (let count = 0; count < 3; count += 1) expect((await limiter.decide(ask)).degraded).toBe(true);
}

describe('the limiter', () => {
  it('asks nothing more of a Redis that did not answer three times, but for a look now and then', async () => {
    const setup = setUp();
    await freeze(setup);
    for (let count = 0; count < 20; count += 1) await setup.limiter.decide(ask);
    expect(setup.sent).toHaveLength(3);
    expect(setup.outcomes.slice(3)).toEqual(Array(20).fill('skipped'));
    await setup.clock.advance(200);
    expect(setup.sent).toHaveLength(4);
    expect(setup.sent[3]?.call.ask).toMatchObject({ budget: 'a:acme', key: null, spend: 0 });
  });

  it('an answer that comes too late does not make requests wait again', async () => {
    const setup = setUp();
    await freeze(setup);
    setup.sent.forEach(({ answer }) => answer());
    await setup.clock.advance(0);
    await setup.limiter.decide(ask);
    expect(setup.outcomes.at(-1)).toBe('skipped');
  });

  it('asks Redis again once a look was answered', async () => {
    const setup = setUp();
    await freeze(setup);
    await setup.clock.advance(200);
    setup.sent.forEach(({ answer }) => answer());
    await setup.clock.advance(0);
    const decided = setup.limiter.decide(ask);
    setup.sent.at(-1)?.answer();
    expect((await decided).degraded).toBe(false);
  });

  it('owes nothing for requests that Redis turns out to have counted', async () => {
    const setup = setUp();
    await freeze(setup);
    await setup.clock.advance(200);
    expect(setup.sent[3]?.call.debt).toBeNull();
    setup.sent.forEach(({ answer }) => answer());
    await setup.clock.advance(0);
    void setup.limiter.decide(ask);
    expect(setup.sent.at(-1)?.call.debt).toBeNull();
  });

  it('owes requests whose answers can no longer come, and pays without being asked', async () => {
    const setup = setUp();
    await freeze(setup);
    setup.sent.forEach(({ fail }) => fail());
    await setup.clock.advance(200);
    expect(setup.sent[3]?.call).toMatchObject({ ask: { spend: 0 }, debt: { dayCount: 3 } });
  });

  it('sends an unacknowledged debt again under its id, and an acknowledged one no more', async () => {
    const setup = setUp();
    setup.redis.isThere = false;
    for (let count = 0; count < 5; count += 1) await setup.limiter.decide(ask);
    setup.redis.isThere = true;
    await setup.clock.advance(200);
    const first = setup.sent[0]?.call.debt;
    expect(first?.dayCount).toBe(5);
    setup.sent[0]?.fail();
    await setup.clock.advance(200);
    expect(setup.sent[1]?.call.debt).toEqual(first);
    setup.sent[1]?.answer();
    await setup.clock.advance(0);
    void setup.limiter.decide(ask);
    expect(setup.sent[2]?.call.debt).toBeNull();
  });

  it.each([
    [1, 60],
    [2, 30],
    [7, 8],
    [100, 1],
  ])('alone among %i it admits %i of sixty in a minute', async (replicas, share) => {
    const setup = setUp(replicas);
    setup.redis.isThere = false;
    const decisions = await Promise.all(Array.from({ length: 80 }, () => setup.limiter.decide({ ...ask, key: null })));
    expect(decisions.filter(({ kind }) => kind === 'allowed')).toHaveLength(share);
    expect(decisions.every(({ degraded, minute }) => degraded && minute.limit === 60)).toBe(true);
  });

  it('ends quietly while Redis is away, and still decides', async () => {
    const setup = setUp();
    await freeze(setup);
    await setup.limiter.close();
    expect((await setup.limiter.decide(ask)).degraded).toBe(true);
    await setup.clock.advance(1_000);
    expect(setup.sent).toHaveLength(3);
  });
});
