import { describe, expect, it } from '@jest/globals';
import { LocalQuota } from '../../../src/quota/local-quota.ts';
import { decideQuota, nothingSpent } from '../../../src/quota/quota-decision.ts';
import type { QuotaState } from '../../../src/quota/quota-decision.ts';
import type { Ask } from '../../../src/quota/quota-port.ts';
import { writeState } from '../../../src/quota/state-encoding.ts';

/** What a process remembers, and decides on its own while Redis does not answer. */

const noon = Date.parse('2026-01-01T12:00:00Z');
const ask: Ask = { budget: 'a:acme', key: 'k1', limits: { perMinute: 60, perDay: 1_000 }, liftedAt: null, spend: 1 };
const version = { incarnation: 7, revision: 3 };

/** What Redis answers with after so many requests at a time. */
function stateAfter(count: number, atMs: number): Buffer {
  let state: QuotaState = nothingSpent;
  for (let index = 0; index < count; index += 1) state = decideQuota(state, ask, atMs).after;
  return writeState(state, version);
}

function admits(quota: LocalQuota, nowMs: number, replicas: number): number {
  let admitted = 0;
  for (let index = 0; index < 200; index += 1) {
    const { figures } = quota.decideAlone({ ...ask, key: null }, nowMs, replicas);
    if (figures.kind !== 'allowed') continue;
    admitted += 1;
    quota.admitted(ask, { nowMs, cost: 1, perMinute: 60 }, null);
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
    quota.learn(ask, stateAfter(used, noon));
    expect(admits(quota, nowMs, replicas)).toBe(expected);
  });

  // Would fail if the first to be back could spend, besides its own part, half of what the others admitted and have not told yet.
  it('has no larger part while it tells Redis, and a new one in the next outage', () => {
    const quota = new LocalQuota();
    quota.learn(ask, stateAfter(20, noon));
    expect(admits(quota, noon + 1_000, 2)).toBe(20);
    quota.prepare({ ask, disregarded: null, isSeedWanted: false }, noon + 1_000);
    quota.learn(ask, stateAfter(40, noon));
    quota.endDebt(ask.budget, true);
    expect(admits(quota, noon + 1_100, 2)).toBe(0);
    quota.endOutage();
    expect(admits(quota, noon + 1_200, 2)).toBe(10);
  });

  it('bans who goes on regardless, until Redis answers: it knows better', () => {
    const quota = new LocalQuota();
    const kinds = Array.from({ length: 210 }, (_, index) => {
      const { figures } = quota.decideAlone(ask, noon + index * 100, 1);
      if (figures.kind === 'allowed') quota.admitted(ask, { nowMs: noon + index * 100, cost: 1, perMinute: 60 }, null);
      return figures.kind;
    });
    expect(kinds.slice(59, 61)).toEqual(['allowed', 'limited']);
    expect(kinds.at(-1)).toBe('limited');
    for (let second = 21; second <= 26; second += 1)
      kinds.push(quota.decideAlone(ask, noon + second * 1_000, 1).figures.kind);
    expect(kinds.at(-1)).toBe('banned');
    quota.learn(ask, stateAfter(60, noon + 20_000));
    quota.endOutage();
    expect(quota.decideAlone(ask, noon + 26_200, 1).figures.kind).toBe('limited');
  });
});

it.each([
  ['strikes of another length', Buffer.concat([stateAfter(1, noon), Buffer.alloc(30, 255)])],
  ['fewer entries than it says', stateAfter(1, noon).subarray(0, 26)],
])('a state with %s counts for nothing', (_, state) => {
  const quota = new LocalQuota();
  quota.learn(ask, state);
  expect(quota.decideAlone(ask, noon, 1).figures.kind).toBe('allowed');
});

describe('what a process tells Redis', () => {
  const unprepared = { ask, disregarded: null, isSeedWanted: false };

  it('is the version that it knows, and the state itself only where that is wanted', () => {
    const quota = new LocalQuota();
    const state = stateAfter(5, noon);
    quota.learn(ask, state);
    expect(quota.prepare(unprepared, noon + 1)).toMatchObject({ version, seed: null, debt: null });
    expect(quota.prepare({ ...unprepared, isSeedWanted: true }, noon + 1).seed).toEqual(state);
  });

  it('is no version of a state of which nothing counts any more', () => {
    const quota = new LocalQuota();
    quota.learn({ ...ask, limits: { perMinute: 60, perDay: null } }, stateAfter(5, noon));
    expect(quota.prepare(unprepared, noon + 60_000).version).toEqual({ incarnation: 0, revision: 0 });
    quota.learn(ask, stateAfter(5, noon));
    expect(quota.prepare(unprepared, noon + 60_000).version).toEqual(version);
    expect(quota.prepare(unprepared, noon + 12 * 3_600_000).version).toEqual({ incarnation: 0, revision: 0 });
  });

  it('is a debt once, until it is known whether it was counted', () => {
    const quota = new LocalQuota();
    admits(quota, noon, 1);
    expect(quota.unsettled()).toHaveLength(1);
    expect(quota.prepare(unprepared, noon).debt?.dayCount).toBe(60);
    expect(quota.prepare(unprepared, noon).debt).toBeNull();
    quota.endDebt(ask.budget, false);
    expect(quota.prepare(unprepared, noon).debt?.dayCount).toBe(60);
    quota.endDebt(ask.budget, true);
    expect(quota.prepare(unprepared, noon).debt).toBeNull();
    expect(quota.unsettled()).toEqual([]);
  });
});

describe('what a process may owe', () => {
  const admission = { nowMs: noon, cost: 1, perMinute: 60 };
  const owes = (quota: LocalQuota, budget: string, perDay: number | null) => {
    const asked: Ask = { budget, key: null, limits: { perMinute: 60, perDay }, liftedAt: null, spend: 1 };
    quota.decideAlone(asked, noon, 1);
    quota.admitted(asked, admission, null);
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
    for (let at = 0; at < 2_000; at += 1) quota.learn({ ...ask, budget: `a:${at}` }, stateAfter(1, noon));
    const [first] = quota.unsettled();
    expect(first).toMatchObject({ budget: 'a:acme', spend: 0 });
    const paid = { ask: first as Ask, disregarded: null, isSeedWanted: false };
    expect(quota.prepare(paid, noon).debt?.dayCount).toBe(1);
    quota.endDebt('a:acme', true);
    expect(quota.unsettled().map(({ budget }) => budget)).not.toContain('a:acme');
  });

  it('ends with the doubt that was all of it', async () => {
    const quota = new LocalQuota();
    quota.decideAlone(ask, noon, 1);
    const counted = Promise.resolve(true);
    quota.admitted(ask, admission, counted);
    expect(quota.unsettled()).toHaveLength(1);
    await counted;
    expect(quota.unsettled()).toEqual([]);
  });
});

it('a budget of which too many requests wait is decided on what Redis said last, not on what it said before an outage', () => {
  const quota = new LocalQuota();
  quota.decideAlone(ask, noon, 1);
  quota.learn(ask, stateAfter(60, noon));
  expect(quota.decideAlone(ask, noon + 1, 1).figures.kind).toBe('allowed');
  quota.renew(ask.budget);
  expect(quota.decideAlone(ask, noon + 2, 1).figures.kind).toBe('limited');
});
