import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Admission } from '../../../src/quota/local-quota.ts';
import { LocalQuota } from '../../../src/quota/local-quota.ts';
import { decideQuota, nothingSpent } from '../../../src/quota/quota-decision.ts';
import type { QuotaState } from '../../../src/quota/quota-decision.ts';
import type { Ask } from '../../../src/quota/quota-port.ts';
import { mostInAMinute } from '../../support/most-in-a-minute.ts';
import { fc } from '../../support/property.ts';
import { writeState } from '../../support/quota-state.ts';

/** What a process remembers, and decides on its own while Redis does not answer. */

const noon = Date.parse('2026-01-01T12:00:00Z');
const ask: Ask = { budget: 'a:acme', key: 'k1', limits: { perMinute: 60, perDay: 1_000 }, liftedAt: null, spend: 1 };
const { budget } = ask;

/** What Redis answers with after so many requests at a time. */
function stateAfter(count: number, atMs: number): Buffer {
  let state: QuotaState = nothingSpent;
  for (let index = 0; index < count; index += 1) state = decideQuota(state, ask, atMs).after;
  return writeState(state);
}

function admits(quota: LocalQuota, nowMs: number, replicas: number): number {
  let admitted = 0;
  for (let index = 0; index < 200; index += 1) {
    const { admission } = quota.decideAlone({ ...ask, key: null }, nowMs, replicas);
    if (!admission) continue;
    admitted += 1;
    quota.owe(admission);
  }
  return admitted;
}

describe('a process that decides alone', () => {
  it.each([
    ['its part of what was left', 30, noon + 1_000, 3, 10],
    ['all that was left, where it is the only one', 40, noon + 1_000, 1, 20],
    ['its part of the whole limit once what was counted is a minute old', 60, noon + 61_000, 3, 20],
    ['nothing where nothing was left', 60, noon + 1_000, 3, 0],
    ['one, where its part is less than that', 58, noon + 1_000, 5, 1],
  ])('admits %s', (_, used, nowMs, replicas, expected) => {
    const quota = new LocalQuota();
    quota.learn(budget, stateAfter(used, noon));
    expect(admits(quota, nowMs, replicas)).toBe(expected);
  });

  // Would fail if the first to be back could spend, besides its own part, half of what the others admitted and have not told yet.
  it('has no larger part while it tells Redis, and a new one in the next outage', () => {
    const quota = new LocalQuota();
    quota.learn(budget, stateAfter(20, noon));
    expect(admits(quota, noon + 1_000, 2)).toBe(20);
    quota.prepare(budget);
    quota.learn(budget, stateAfter(40, noon));
    quota.endDebt(budget, true);
    expect(admits(quota, noon + 1_100, 2)).toBe(0);
    quota.endOutage();
    expect(admits(quota, noon + 1_200, 2)).toBe(10);
  });

  it('bans who goes on regardless, until Redis answers: it knows better', () => {
    const quota = new LocalQuota();
    const kinds = Array.from({ length: 210 }, (_, index) => {
      const { figures, admission } = quota.decideAlone(ask, noon + index * 100, 1);
      if (admission) quota.owe(admission);
      return figures.kind;
    });
    expect(kinds.slice(59, 61)).toEqual(['allowed', 'limited']);
    expect(kinds.at(-1)).toBe('limited');
    for (let second = 21; second <= 26; second += 1)
      kinds.push(quota.decideAlone(ask, noon + second * 1_000, 1).figures.kind);
    expect(kinds.at(-1)).toBe('banned');
    quota.learn(budget, stateAfter(60, noon + 20_000));
    quota.endOutage();
    expect(quota.decideAlone(ask, noon + 26_200, 1).figures.kind).toBe('limited');
  });
});

it.each([
  ['strikes of another length', Buffer.concat([stateAfter(1, noon), Buffer.alloc(30, 255)])],
  ['fewer entries than it says', stateAfter(1, noon).subarray(0, 26)],
])('a state with %s counts for nothing', (_, state) => {
  const quota = new LocalQuota();
  quota.learn(budget, state);
  expect(quota.decideAlone(ask, noon, 1).figures.kind).toBe('allowed');
});

describe('what a process tells Redis', () => {
  it('is the state that it remembers once Redis has lost data, until Redis has answered with its own', () => {
    const quota = new LocalQuota();
    const state = stateAfter(5, noon);
    quota.learn(budget, state);
    expect(quota.prepare(budget)).toEqual({ seed: null, debt: null });
    quota.noteLoss();
    expect(quota.prepare(budget)).toEqual({ seed: state, debt: null });
    expect(quota.prepare('a:other')).toEqual({ seed: null, debt: null });
    quota.learn(budget, stateAfter(6, noon));
    expect(quota.prepare(budget)).toEqual({ seed: null, debt: null });
  });

  it('is a debt once, until it is known whether it was counted', () => {
    const quota = new LocalQuota();
    admits(quota, noon, 1);
    expect(quota.unsettled()).toHaveLength(1);
    expect(quota.prepare(budget).debt?.dayCount).toBe(60);
    expect(quota.prepare(budget).debt).toBeNull();
    quota.endDebt(budget, false);
    expect(quota.prepare(budget).debt?.dayCount).toBe(60);
    quota.endDebt(budget, true);
    expect(quota.prepare(budget).debt).toBeNull();
    expect(quota.unsettled()).toEqual([]);
  });
});

describe('what a process may owe', () => {
  const owes = (quota: LocalQuota, of: string, perDay: number | null) => {
    const asked: Ask = { budget: of, key: null, limits: { perMinute: 60, perDay }, liftedAt: null, spend: 1 };
    const { admission } = quota.decideAlone(asked, noon, 1);
    if (admission) quota.owe(admission);
  };

  // Would fail if each of the 64 limiters of a Redis Cluster remembered as much as one for all.
  it('is divided among its shards', () => {
    const one = new LocalQuota(64);
    for (let at = 0; at < 2_000; at += 1) owes(one, `ip:${at}`, null);
    expect(one.unsettled().length).toBeLessThanOrEqual(Math.ceil(20_000 / 64));
    expect(one.unsettled().length).toBeGreaterThan(100);
  });

  it('is not forgotten for budgets that cost nothing to make, nor for those that owe nothing', () => {
    const quota = new LocalQuota(64);
    owes(quota, 'a:acme', 1_000);
    for (let at = 0; at < 2_000; at += 1) owes(quota, `ip:${at}`, null);
    for (let at = 0; at < 2_000; at += 1) quota.learn(`a:${at}`, stateAfter(1, noon));
    const [first] = quota.unsettled();
    expect(first).toMatchObject({ budget: 'a:acme', spend: 0 });
    expect(quota.prepare('a:acme').debt?.dayCount).toBe(1);
    quota.endDebt('a:acme', true);
    expect(quota.unsettled().map((one) => one.budget)).not.toContain('a:acme');
  });
});

describe('processes that decide alone', () => {
  // Whoever knows the rules chooses pauses around 600 ms and the end of a minute, bursts of any size, and which process to ask.
  const pause = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom(0, 599, 600, 601, 54_000, 59_400, 60_000));
  const step = fc.record({
    pause,
    process: fc.nat({ max: 3 }),
    count: fc.integer({ min: 1, max: 40 }),
    // What is in doubt may be counted or owed later, and so may what is sent.
    fate: fc.constantFrom('owed', 'counted', 'owed later', 'sent'),
  });

  // Would fail if what is in doubt, sent or paid were forgotten, or if each process' entries might share a tenth of the whole limit.
  it('admit together at most 1.10 times the limit in any sixty seconds, whatever became of what they admitted', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        (steps, replicas) => {
          const processes = Array.from({ length: replicas }, () => new LocalQuota());
          const admitted: number[] = [];
          let [now, later]: [number, (() => void)[]] = [noon, []];
          for (const { pause: ms, process, count, fate } of steps) {
            now += ms;
            const quota = processes[process % replicas] as LocalQuota;
            for (const settle of later.splice(0)) settle();
            for (let index = 0; index < count; index += 1) {
              const { admission } = quota.decideAlone({ ...ask, key: null }, now, replicas);
              if (!admission) continue;
              admitted.push(now);
              if (fate === 'owed later') later = [...later, () => quota.owe(admission)];
              else if (fate !== 'counted') quota.owe(admission);
            }
            if (fate !== 'sent') continue;
            quota.prepare(budget);
            later = [...later, () => quota.endDebt(budget, count % 2 === 0)];
          }
          expect(mostInAMinute(admitted)).toBeLessThanOrEqual(66);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('what a process owes', () => {
  const day = Math.floor(noon / 86_400_000);
  const looking = { ...ask, key: null, spend: 0 };
  let quota: LocalQuota;

  beforeEach(() => {
    quota = new LocalQuota();
  });

  /** A request that is admitted alone, and in doubt until somebody says that it is owed. */
  function admitted(nowMs: number, spend = 1): Admission {
    const { admission } = quota.decideAlone({ ...ask, key: null, spend }, nowMs, 1);
    if (!admission) throw new Error('it was refused');
    return admission;
  }

  const owe = (nowMs: number, spend = 1) => quota.owe(admitted(nowMs, spend));
  /** What the process believes to have been admitted: of the minute, and of the day. */
  const believed = (nowMs: number) => {
    const { used, dayCount } = quota.decideAlone(looking, nowMs, 1).figures;
    return [used, dayCount];
  };

  it('is one debt at a time, and what comes later is another', () => {
    owe(noon);
    const { debt } = quota.prepare(budget);
    owe(noon + 5, 10);
    expect(debt).toEqual({ log: [{ firstMs: noon, lastMs: noon, count: 1 }], day, dayCount: 1 });
    expect(quota.prepare(budget).debt).toBeNull();
    quota.endDebt(budget, true);
    expect(quota.prepare(budget).debt).toMatchObject({ dayCount: 10 });
  });

  it('is owed again, with what came since, where it was not counted', () => {
    owe(noon);
    quota.prepare(budget);
    owe(noon + 5);
    quota.endDebt(budget, false);
    expect(quota.prepare(budget).debt).toMatchObject({ dayCount: 2 });
  });

  it('leaves out what Redis may have counted, and counts on its own with it', () => {
    const [, other] = [admitted(noon), admitted(noon)];
    expect(quota.prepare(budget).debt).toBeNull();
    expect(believed(noon)).toEqual([2, 2]);
    quota.owe(other);
    expect(believed(noon)).toEqual([2, 2]);
    expect(quota.prepare(budget).debt).toMatchObject({ dayCount: 1 });
  });

  it('counts on its own with what is sent and in doubt', () => {
    quota.learn(budget, stateAfter(7, noon - 70_000));
    owe(noon);
    quota.prepare(budget);
    owe(noon + 1_000);
    admitted(noon + 2_000);
    expect(believed(noon + 3_000)).toEqual([3, 10]);
    expect(quota.unsettled()).toHaveLength(1);
  });

  it.each([
    ['is counted after all', true, 59],
    ['was not counted', false, 60],
  ])('keeps its times when an older request %s', (_, isCounted, owed) => {
    const doubt = admitted(noon);
    for (let later = 0; later < 59; later += 1) owe(noon + 5_000 + later);
    if (!isCounted) quota.owe(doubt);
    // Five of the later ones share the entry of the first, which ends when that is a minute old: a tenth of the limit may.
    expect(believed(noon + 61_000)).toEqual([54, 60]);
    expect(believed(noon + 6_000)).toEqual([60, 60]);
    const { debt } = quota.prepare(budget);
    expect(debt?.log.at(-1)).toEqual({ firstMs: noon + 5_000, lastMs: noon + 5_058, count: 59 });
    expect(debt?.dayCount).toBe(owed);
  });

  it('keeps its times while an older request is in doubt, however long', () => {
    admitted(noon);
    for (let later = 0; later < 14; later += 1) owe(noon + later * 5_000);
    // In entries of six, of which the first is over.
    expect(believed(noon + 66_000)[0]).toBe(15 - 6);
  });

  it('counts on its own, until the next outage, what Redis has counted since this one began', () => {
    quota.learn(budget, stateAfter(7, noon - 70_000));
    admitted(noon);
    owe(noon);
    quota.prepare(budget);
    quota.endDebt(budget, true);
    expect(believed(noon)[1]).toBe(9);
    quota.endOutage();
    expect(believed(noon)[1]).toBe(7);
  });

  it('counts in the next outage what has not been paid since the last one', () => {
    owe(noon);
    owe(noon);
    quota.prepare(budget);
    owe(noon);
    quota.endOutage();
    expect(believed(noon)).toEqual([3, 3]);
  });

  it('keeps for the day what left the minute, and for no other day', () => {
    for (let later = 0; later < 100; later += 1) owe(noon + later * 5_000);
    const [used = 0, ofDay] = believed(noon + 99 * 5_000);
    expect([used < 20, ofDay]).toEqual([true, 100]);
    owe(noon + 86_400_000);
    expect(quota.prepare(budget).debt).toMatchObject({ day: day + 1, dayCount: 1 });
  });
});

it('a budget of which too many requests wait is decided on what Redis said last, not on what it said before an outage', () => {
  const quota = new LocalQuota();
  quota.decideAlone(ask, noon, 1);
  quota.learn(budget, stateAfter(60, noon));
  expect(quota.decideAlone(ask, noon + 1, 1).figures.kind).toBe('allowed');
  quota.renew(ask.budget);
  expect(quota.decideAlone(ask, noon + 2, 1).figures.kind).toBe('limited');
});
