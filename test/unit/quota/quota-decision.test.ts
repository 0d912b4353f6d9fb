import { describe, expect, it } from '@jest/globals';
import type { QuotaState } from '../../../src/quota/quota-decision.ts';
import { decideQuota, decisionOf, nothingSpent } from '../../../src/quota/quota-decision.ts';
import type { Ask, Decision } from '../../../src/quota/quota-port.ts';
import { quotaHeaders } from '../../../src/quota/quota-port.ts';
import { currentBudget } from '../../../src/quota/quota-windows.ts';
import { fc } from '../../support/property.ts';

/** The rules of the quota (docs/concepts/quotas.md), on the reference that the script is held against. */

const noon = Date.parse('2026-01-01T12:00:00Z');
const limits = { perMinute: 60, perDay: 1_000 };
const asks: Ask = { budget: 'a:acme', key: 'k1', limits, liftedAt: null, spend: 1 };

/** A budget with a clock and any number of keys. */
class Quota {
  now = noon;
  #state = nothingSpent;

  ask(changes: Partial<Ask> = {}): Decision {
    const ask = { ...asks, ...changes };
    const { figures, after } = decideQuota(this.#state, ask, this.now);
    this.#state = after;
    return decisionOf(figures, ask);
  }

  /** Asks at once, this many times; the answers by kind. */
  burst(count: number, changes: Partial<Ask> = {}): Record<string, number> {
    const kinds: Record<string, number> = {};
    for (let index = 0; index < count; index += 1) {
      const { kind } = this.ask(changes);
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
    return kinds;
  }

  wait(seconds: number): void {
    this.now += seconds * 1_000;
  }
}

/** Goes on regardless until it is banned; returns the ban. */
function provoke(quota: Quota, changes: Partial<Ask> = {}): Decision {
  for (let index = 0; index < 500; index += 1) {
    const decision = quota.ask(changes);
    if (decision.kind === 'banned') return decision;
    quota.now += 100;
  }
  throw new Error('no ban after 500 requests');
}

describe('the two windows', () => {
  it('admit exactly the limit, over all keys of the account', () => {
    const quota = new Quota();
    expect(quota.burst(40, { key: 'k1' })).toEqual({ allowed: 40 });
    expect(quota.burst(40, { key: 'k2' })).toEqual({ allowed: 20, limited: 20 });
  });

  it('a request that the minute refuses spends nothing of the day', () => {
    const quota = new Quota();
    const key = null;
    for (let minute = 0; minute < 3; minute += 1) {
      quota.burst(500, { limits: { perMinute: 5, perDay: 1_000 }, key });
      quota.wait(90);
    }
    expect(quota.ask({ limits: { perMinute: 5, perDay: 1_000 }, spend: 0, key }).day?.remaining).toBe(985);
  });

  it('a request that counts as ten is admitted while one is left, and what it took beyond that is owed to the window', () => {
    const quota = new Quota();
    quota.burst(59, {});
    expect(quota.ask({ spend: 10 })).toMatchObject({ kind: 'allowed', minute: { remaining: 0 } });
    expect(quota.ask({ spend: 10 }).kind).toBe('limited');
    quota.wait(75);
    expect(quota.burst(10, { spend: 10 })).toEqual({ allowed: 6, limited: 4 });
  });

  it('what needs ten is admitted where ten are left, and spends nothing where nine are', () => {
    const quota = new Quota();
    quota.burst(50, {});
    expect(quota.ask({ spend: 11, needs: 11 })).toMatchObject({
      kind: 'limited',
      minute: { limit: 60, remaining: 10 },
    });
    expect(quota.ask({ spend: 10, needs: 10 })).toMatchObject({ kind: 'allowed', minute: { limit: 60, remaining: 0 } });
  });

  it.each<[string, { perMinute: number; perDay: number }]>([
    ['minute', { perMinute: 60, perDay: 1_000 }],
    ['day', { perMinute: 1_000, perDay: 60 }],
  ])('what needs more than the %s has left is told when that is there, and passes then', (_, few) => {
    const quota = new Quota();
    quota.burst(20, { limits: few });
    quota.wait(20);
    quota.burst(20, { limits: few });
    const whole = { limits: few, spend: 45, needs: 45 };
    const { kind, retryAfter } = quota.ask(whole);
    expect(kind).toBe('limited');
    quota.wait((retryAfter ?? 0) - 2);
    expect(quota.ask(whole).kind).toBe('limited');
    quota.wait(2);
    expect(quota.ask(whole).kind).toBe('allowed');
  });

  it('what needs more than the limit is never admitted, and takes nothing from what needs less', () => {
    const quota = new Quota();
    expect(quota.ask({ spend: 61, needs: 61 }).kind).toBe('limited');
    quota.wait(600);
    expect(quota.ask({ spend: 61, needs: 61 }).kind).toBe('limited');
    expect(quota.burst(60)).toEqual({ allowed: 60 });
  });

  it('the day ends at midnight UTC and says so', () => {
    const quota = new Quota();
    const few = { limits: { perMinute: 100, perDay: 10 }, key: null };
    quota.burst(10, few);
    const refused = quota.ask(few);
    expect(refused).toMatchObject({ kind: 'limited', binding: 'day', retryAfter: 12 * 3_600 });
    quota.wait(12 * 3_600 - 1);
    expect(quota.ask(few).kind).toBe('limited');
    quota.wait(1);
    expect(quota.ask(few).kind).toBe('allowed');
  });

  it('where both refuse, the one that refuses longest is told', () => {
    const quota = new Quota();
    quota.burst(10, { limits: { perMinute: 10, perDay: 10 } });
    expect(quota.ask({ limits: { perMinute: 10, perDay: 10 } })).toMatchObject({ binding: 'day' });
  });

  it.each<[string, { perMinute: number; perDay: number }, 'minute' | 'day']>([
    ['the minute while it has fewer left', { perMinute: 60, perDay: 1_000 }, 'minute'],
    ['the day once it has fewer left', { perMinute: 60, perDay: 50 }, 'day'],
    ['the later reset where both have as many', { perMinute: 60, perDay: 60 }, 'day'],
  ])('the trio shows %s', (_, given, binding) => {
    expect(new Quota().ask({ limits: given }).binding).toBe(binding);
  });

  it('a plan that is cut never leaves a negative rest, and one that is raised counts at once', () => {
    const quota = new Quota();
    quota.burst(60);
    expect(quota.ask({ limits: { perMinute: 10, perDay: 20 } }).minute.remaining).toBe(0);
    expect(quota.ask({ limits: { perMinute: 300, perDay: 10_000 } })).toMatchObject({
      kind: 'allowed',
      minute: { limit: 300, remaining: 239 },
    });
  });

  it('looking spends nothing', () => {
    const quota = new Quota();
    quota.burst(100, { spend: 0 });
    expect(quota.ask().minute.remaining).toBe(59);
  });
});

describe('bans', () => {
  it('requests that were in flight when the first was refused are forgiven, however many', () => {
    const quota = new Quota();
    quota.burst(60);
    expect(quota.burst(5_000)).toEqual({ limited: 5_000 });
    const { kind, retryAfter } = quota.ask();
    expect(kind).toBe('limited');
    quota.wait(retryAfter ?? 0);
    expect(quota.ask().kind).toBe('allowed');
  });

  it('a ban shows what is left of the windows, and a day that is used up for longer than it lasts is told', () => {
    const quota = new Quota();
    quota.burst(60);
    provoke(quota);
    quota.wait(90);
    quota.burst(60);
    provoke(quota);
    quota.wait(90);
    const { minute, binding, retryAfter, ban } = quota.ask({ spend: 0 });
    expect(minute.remaining).toBe(60);
    expect(binding).toBe('minute');
    expect(quota.now + (retryAfter ?? 0) * 1_000).toBeGreaterThanOrEqual((ban?.until ?? 0) * 1_000);
    const few = { limits: { perMinute: 60, perDay: 60 } };
    const untilMidnight = Math.ceil((noon + 12 * 3_600_000 - quota.now) / 1_000);
    expect(quota.ask(few)).toMatchObject({ kind: 'banned', binding: 'day', retryAfter: untilMidnight });
  });

  it('a ban whose minute is used up for longer than it lasts is told with the minute, not with a day that has requests left', () => {
    const quota = new Quota();
    quota.burst(60);
    const { ban } = provoke(quota);
    quota.now = ((ban?.until ?? 0) - 3) * 1_000;
    quota.burst(60, { key: 'k2' });
    const refused = quota.ask();
    expect(refused).toMatchObject({ kind: 'banned', binding: 'minute' });
    const headers = quotaHeaders(refused);
    expect(headers).toMatchObject({ 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '0' });
    expect(refused.retryAfter).toBeGreaterThan(3);
    expect(headers.RateLimit).toContain(`"minute";r=0;t=${refused.retryAfter}`);
  });

  it('whoever goes on regardless is banned, longer each time, and asking on lengthens nothing', () => {
    const quota = new Quota();
    const lengths: (number | undefined)[] = [];
    for (let round = 0; round < 6; round += 1) {
      quota.burst(60);
      const ban = provoke(quota);
      expect(ban.banBegins).toBe(true);
      lengths.push(ban.ban?.seconds);
      quota.burst(100);
      expect(quota.ask()).toMatchObject({ kind: 'banned', banBegins: false, ban: { until: ban.ban?.until } });
      quota.wait((ban.retryAfter ?? 0) + 1);
      expect(quota.ask().kind).not.toBe('banned');
    }
    expect(lengths).toEqual([60, 300, 1_800, 7_200, 86_400, 86_400]);
  });

  it('a ban is one key’s: the account’s other keys go on', () => {
    const quota = new Quota();
    quota.burst(60);
    provoke(quota);
    quota.wait(59);
    expect(quota.ask({ key: 'k1' }).kind).toBe('banned');
    expect(quota.ask({ key: 'k2' }).kind).toBe('allowed');
  });

  it.each([
    ['at its first strike while eighteen strikes of the account are young', 0, 1],
    ['at its eighteenth once they are old', 70, 18],
  ])('the account’s next key is banned %s, and longer', (_, pause, strikes) => {
    const quota = new Quota();
    quota.burst(60);
    provoke(quota);
    quota.wait(pause);
    quota.burst(60, { key: null });
    quota.ask({ key: 'k2' });
    quota.now += 1_001;
    for (let strike = 1; strike < strikes; strike += 1) {
      quota.wait(1);
      expect(quota.ask({ key: 'k2' }).kind).toBe('limited');
    }
    quota.wait(1);
    expect(quota.ask({ key: 'k2' }).ban).toMatchObject({ seconds: 300, step: 2 });
  });

  it('a ban that is lifted takes its step and the strikes with it, once, whichever key strikes next', () => {
    const quota = new Quota();
    quota.burst(60);
    provoke(quota);
    const liftedAt = quota.now;
    quota.now += 1_000;
    expect(quota.ask({ liftedAt }).kind).toBe('limited');
    expect(provoke(quota, { key: 'k2' }).ban?.step).toBe(1);
    quota.ask({ liftedAt, spend: 0 });
    quota.now += 1_000;
    expect(provoke(quota, { key: 'k3' }).ban?.step).toBe(2);
  });

  it('a ban that ended a day ago is not lifted any more, so that another key’s step stands', () => {
    const quota = new Quota();
    quota.burst(60);
    quota.wait(provoke(quota).retryAfter ?? 0);
    quota.wait(86_400 - 10);
    quota.burst(60, { key: null });
    quota.wait(-10);
    provoke(quota, { key: 'k2' });
    quota.wait(60);
    const liftedAt = quota.now;
    quota.ask({ key: 'k1', liftedAt });
    quota.wait(1_000);
    quota.burst(60, { key: null });
    expect(provoke(quota, { key: 'k3' }).ban?.step).toBeGreaterThan(1);
  });

  it.each([
    ['one clean day forgets one step', 1, 300],
    ['two clean days forget both', 2, 60],
  ])('%s', (_, days, seconds) => {
    const quota = new Quota();
    for (let round = 0; round < 2; round += 1) {
      quota.burst(60);
      quota.wait(provoke(quota).retryAfter ?? 0);
    }
    quota.wait(days * 86_400);
    quota.burst(60);
    expect(provoke(quota).ban?.seconds).toBe(seconds);
  });

  it('an administrator lifts a ban that began before; one that begins later stands', () => {
    const quota = new Quota();
    quota.burst(60);
    provoke(quota);
    const liftedAt = quota.now + 1;
    quota.now += 1_000;
    expect(quota.ask({ liftedAt }).kind).not.toBe('banned');
    expect(provoke(quota).kind).toBe('banned');
    quota.now += 1_000;
    expect(quota.ask({ liftedAt }).kind).toBe('banned');
  });

  it('lifting a ban that a clean day has forgotten forgets nothing more', () => {
    const quota = new Quota();
    for (let round = 0; round < 2; round += 1) {
      quota.burst(60);
      quota.wait(provoke(quota).retryAfter ?? 0);
    }
    quota.wait(86_400);
    const liftedAt = quota.now;
    quota.burst(60, { liftedAt });
    expect(provoke(quota, { liftedAt }).ban?.seconds).toBe(300);
  });

  it('clean days count from when a ban was lifted, not from when it would have ended', () => {
    const quota = new Quota();
    for (let round = 0; round < 5; round += 1) {
      quota.burst(60);
      const { retryAfter } = provoke(quota);
      if (round < 4) quota.wait(retryAfter ?? 0);
    }
    const liftedAt = quota.now;
    quota.wait(86_400);
    quota.burst(60, { liftedAt });
    expect(provoke(quota, { liftedAt }).ban?.seconds).toBe(7_200);
  });

  it.each<[string, number, number, Decision['kind']]>([
    ['in each of eighteen seconds after the first two bans', 2_001, 1_000, 'banned'],
    ['is forgiven for the first two seconds', 2_000, 1_000, 'limited'],
    ['more often than once a second makes no more strikes, and the ban comes no sooner', 2_001, 999, 'limited'],
    ['at the most leisurely pace that bans', 2_001, 1_117, 'banned'],
    ['less often than eighteen times in nineteen seconds bans nobody', 2_001, 1_118, 'limited'],
  ])('going on %s', (_, first, pause, kind) => {
    const quota = new Quota();
    quota.burst(60);
    quota.ask();
    quota.now += first;
    for (let strike = 1; strike < 18; strike += 1) {
      expect(quota.burst(30)).toEqual({ limited: 30 });
      quota.now += pause;
    }
    expect(quota.ask().kind).toBe(kind);
  });

  it('strikes of a clock that was set back count for nothing', () => {
    const quota = new Quota();
    quota.burst(60);
    quota.ask();
    quota.wait(3);
    for (let strike = 1; strike < 18; strike += 1) {
      quota.ask();
      quota.wait(1);
    }
    quota.wait(-40);
    for (let round = 0; round < 30; round += 1) expect(quota.ask().kind).not.toBe('banned');
  });
});

/** The most that any sixty seconds saw. */
function mostInAMinute(times: readonly number[]): number {
  let first = 0;
  return times.reduce((most, at, index) => {
    while ((times[first] ?? 0) <= at - 60_000) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}

/** A number in [0, 1) that looks random and is the same every time (mulberry32). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('the sliding minute under load', () => {
  const roll = dice(7);
  const exponential = (mean: number) => -Math.log(1 - roll()) * mean;
  it.each<[string, (at: number) => number]>([
    ['five times the limit, steadily', () => 200],
    ['random requests at one and a half times the limit', () => exponential(667)],
    ['random requests just below the limit', () => exponential(1_111)],
    ['twenty seconds on and a minute off', (at) => (at % 80_000 < 20_000 ? 250 : 60_000)],
    [
      'all at once at the edge of every minute',
      (at) => (at % 60_000 < 1_000 ? 10 : 58_900 - (at % 60_000) > 0 ? 58_900 - (at % 60_000) : 100),
    ],
  ])('admits at most a tenth more than the limit in any sixty seconds: %s', (_, pauseAfter) => {
    const quota = new Quota();
    const admitted: number[] = [];
    while (quota.now < noon + 2 * 3_600_000) {
      if (quota.ask({ key: null, limits: { perMinute: 60, perDay: 100_000 } }).kind === 'allowed')
        admitted.push(quota.now);
      quota.now += Math.ceil(pauseAfter(quota.now - noon));
    }
    expect(admitted.length).toBeGreaterThan(1_000);
    expect(mostInAMinute(admitted)).toBeLessThanOrEqual(66);
  });
});

describe('for any history', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 40 })), {
    minLength: 1,
    maxLength: 40,
  });

  it('waiting as long as Retry-After says is enough', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 999 }), (history, start) => {
        const quota = new Quota();
        quota.now += start;
        for (const [pause, count] of history) {
          quota.now += pause;
          quota.burst(count, { key: null, limits: { perMinute: 20, perDay: 400 } });
          const { kind, retryAfter } = quota.ask({ key: null, limits: { perMinute: 20, perDay: 400 } });
          if (kind === 'allowed') continue;
          quota.now += (retryAfter ?? 0) * 1_000;
          expect(quota.ask({ key: null, limits: { perMinute: 20, perDay: 400 } }).kind).toBe('allowed');
        }
      }),
      { numRuns: 200 },
    );
  });

  it('a request one second before the announced one is refused', () => {
    let early = 0;
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 999 }), (history, start) => {
        const quota = new Quota();
        const given = { key: null, limits: { perMinute: 20, perDay: 400 } };
        quota.now += start;
        for (const [pause, count] of history) {
          quota.now += pause;
          quota.burst(count, given);
          const decision = quota.ask(given);
          const resetsAtMs = decision[decision.binding]?.resetsAtMs ?? 0;
          if (decision.kind === 'allowed' || (decision.retryAfter ?? 0) < 2) continue;
          quota.now = resetsAtMs - 1;
          early += 1;
          expect(quota.ask(given).kind).toBe('limited');
        }
      }),
      { numRuns: 200 },
    );
    expect(early).toBeGreaterThan(200);
  });

  it('refused requests and looks leave both windows as they were', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const limits = { perMinute: 20, perDay: 60 };
        let state: QuotaState = nothingSpent;
        let now = noon;
        for (const [pause, count] of history) {
          now += pause;
          for (let index = 0; index < count; index += 1) {
            const spend = index % 5 === 0 ? 0 : 1 + (index % 3);
            const { figures, after } = decideQuota(state, { ...asks, limits, spend }, now);
            const spent = after.budget.dayCount - currentBudget(state.budget, now).dayCount;
            expect(spent).toBe(figures.kind === 'allowed' ? spend : 0);
            state = after;
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('no sixty seconds see twice the limit, whatever is tried at the edges of buckets', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const quota = new Quota();
        const admitted = history.flatMap(([pause, count]) => {
          quota.now += pause;
          return Array.from({ length: count }, () =>
            quota.ask({ key: null }).kind === 'allowed' ? [quota.now] : [],
          ).flat();
        });
        expect(mostInAMinute(admitted)).toBeLessThan(120);
      }),
      { numRuns: 200 },
    );
  });

  it('a client that honours Retry-After with fifty requests in flight is never banned', () => {
    let refusals = 0;
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 20, max: 1_900 }), (seed, slowest) => {
        const client = new HonestClient(dice(seed), slowest);
        const kinds = client.run(180);
        expect(kinds['banned']).toBeUndefined();
        refusals += kinds['limited'] ?? 0;
      }),
      { numRuns: 30 },
    );
    expect(refusals).toBeGreaterThan(1_000);
  });
});

/** Keeps fifty requests in flight, each as slow as it happens; once told to wait it sends no more until then. */
class HonestClient {
  readonly #quota = new Quota();
  readonly #roll: () => number;
  readonly #slowest: number;
  readonly #events: { at: number; happen: () => void }[] = [];
  readonly #kinds: Record<string, number> = {};
  #inFlight = 0;
  #quietUntil = 0;

  constructor(roll: () => number, slowest: number) {
    this.#roll = roll;
    this.#slowest = slowest;
  }

  run(seconds: number): Record<string, number> {
    const end = noon + seconds * 1_000;
    for (let now = noon; now < end; now += 10) {
      this.#quota.now = now;
      for (const event of this.#events.filter(({ at }) => at <= now)) {
        this.#events.splice(this.#events.indexOf(event), 1);
        event.happen();
      }
      while (now >= this.#quietUntil && this.#inFlight < 50) this.#send();
    }
    return this.#kinds;
  }

  #send(): void {
    this.#inFlight += 1;
    this.#after(() => {
      const { kind, retryAfter, now } = this.#quota.ask({ limits: { perMinute: 60, perDay: 100_000 } });
      this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1;
      this.#after(() => {
        this.#inFlight -= 1;
        if (retryAfter !== null) this.#quietUntil = Math.max(this.#quietUntil, now + retryAfter * 1_000);
      });
    });
  }

  #after(happen: () => void): void {
    this.#events.push({ at: this.#quota.now + (this.#roll() * this.#slowest) / 2, happen });
  }
}
