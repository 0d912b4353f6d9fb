import { describe, expect, it } from '@jest/globals';
import { UnsyncedUsage } from '../../../src/quota/unsynced-usage.ts';
import { usedOf } from '../../../src/quota/minute-log.ts';
import { emptyBudget } from '../../../src/quota/quota-windows.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');
const day = Math.floor(noon / 86_400_000);
const at = (nowMs: number, cost = 1) => ({ nowMs, cost, perMinute: 60 });
const state = { ...emptyBudget, day, dayCount: 7 };

describe('what a process owes', () => {
  it('is one debt at a time, and what comes later is another', () => {
    const usage = new UnsyncedUsage();
    usage.owe(at(noon));
    const debt = usage.takeDebt();
    usage.owe(at(noon + 5, 10));
    expect(debt).toEqual({ log: [{ firstMs: noon, lastMs: noon, count: 1 }], day, dayCount: 1 });
    expect(usage.takeDebt()).toBeNull();
    usage.endDebt(true);
    expect(usage.takeDebt()).toMatchObject({ dayCount: 10 });
  });

  it('is owed again, with what came since, where it was not counted', () => {
    const usage = new UnsyncedUsage();
    usage.owe(at(noon));
    usage.takeDebt();
    usage.owe(at(noon + 5));
    usage.endDebt(false);
    expect(usage.takeDebt()).toMatchObject({ dayCount: 2 });
  });

  it('leaves out what may have been counted, until that is known', () => {
    const usage = new UnsyncedUsage();
    const [one, two] = [at(noon), at(noon)];
    usage.doubt(one);
    usage.doubt(two);
    expect(usage.takeDebt()).toBeNull();
    expect(usage.isSettled()).toBe(false);
    usage.settle(one, true);
    usage.settle(two, false);
    expect(usage.takeDebt()).toMatchObject({ dayCount: 1 });
  });

  it('counts on its own with what is sent and in doubt', () => {
    const usage = new UnsyncedUsage();
    usage.owe(at(noon));
    usage.takeDebt();
    usage.owe(at(noon + 1_000));
    usage.doubt(at(noon + 2_000));
    const { log, dayCount } = usage.onTopOf(state, noon + 3_000);
    expect([usedOf(log), dayCount]).toEqual([3, 10]);
    expect(usage.isSettled()).toBe(false);
  });

  it.each([
    ['is counted after all', true, 60],
    ['was not counted', false, 61],
  ])('keeps its times when an older request %s', (_, isCounted, owed) => {
    const usage = new UnsyncedUsage();
    const doubt = at(noon);
    usage.doubt(doubt);
    for (let later = 0; later < 60; later += 1) usage.owe(at(noon + 5_000 + later));
    usage.settle(doubt, isCounted);
    expect(usedOf(usage.onTopOf(emptyBudget, noon + 61_000).log)).toBe(60);
    expect(usage.onTopOf(emptyBudget, noon + 6_000).dayCount).toBe(61);
    const debt = usage.takeDebt();
    expect(debt?.log.at(-1)?.lastMs).toBe(noon + 5_059);
    expect(debt?.dayCount).toBe(owed);
  });

  it('keeps its times while an older request is in doubt, however long', () => {
    const usage = new UnsyncedUsage();
    usage.doubt(at(noon));
    for (let later = 0; later < 14; later += 1) usage.owe(at(noon + later * 5_000));
    expect(usedOf(usage.onTopOf(emptyBudget, noon + 66_000).log)).toBe(8);
  });

  it('counts on its own, until the next outage, what Redis has counted since this one began', () => {
    const usage = new UnsyncedUsage();
    const doubt = at(noon);
    usage.doubt(doubt);
    usage.settle(doubt, true);
    usage.owe(at(noon));
    usage.takeDebt();
    usage.endDebt(true);
    expect(usage.onTopOf(state, noon).dayCount).toBe(9);
    usage.beginOutage();
    expect(usage.onTopOf(state, noon).dayCount).toBe(7);
  });

  it('keeps for the day what left the minute, and for no other day', () => {
    const usage = new UnsyncedUsage();
    for (let later = 0; later < 100; later += 1) usage.owe(at(noon + later * 5_000));
    const late = usage.onTopOf(state, noon + 99 * 5_000);
    expect([usedOf(late.log) < 20, late.dayCount]).toEqual([true, 107]);
    usage.owe(at(noon + 86_400_000));
    expect(usage.takeDebt()).toMatchObject({ day: day + 1, dayCount: 1 });
  });
});
