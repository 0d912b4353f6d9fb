import { describe, expect, it } from '@jest/globals';
import { UnsyncedUsage } from '../../../src/quota/unsynced-usage.ts';
import { emptyBudget } from '../../../src/quota/quota-windows.ts';

const bucket = 1_000;
const moment = { bucket, day: 7 };
const state = { ...emptyBudget, ...moment };

describe('what a process owes', () => {
  it('is one debt under one id until it is acknowledged, and what comes later is another', () => {
    const ledger = new UnsyncedUsage();
    ledger.owe(moment);
    const debt = ledger.debt();
    ledger.owe(moment);
    expect(ledger.debt()).toBe(debt);
    expect(debt).toMatchObject({ day: 7, dayCount: 1, counts: [[bucket, 1]] });
    if (debt) ledger.acknowledge(debt);
    const next = ledger.debt();
    expect(next?.id).not.toBe(debt?.id);
    expect(next?.dayCount).toBe(1);
  });

  it('leaves out what may have been counted, until that is known', () => {
    const ledger = new UnsyncedUsage();
    ledger.doubt(moment);
    ledger.doubt(moment);
    expect(ledger.debt()).toBeNull();
    expect(ledger.onTopOf(state)).toMatchObject({ counts: [2, 0, 0, 0, 0, 0, 0], dayCount: 2 });
    ledger.settle(moment, 1, true);
    ledger.settle(moment, 1, false);
    expect(ledger.debt()?.counts).toEqual([[bucket, 1]]);
  });

  it('is settled once nothing is owed, sent or in doubt', () => {
    const ledger = new UnsyncedUsage();
    expect(ledger.isSettled()).toBe(true);
    ledger.doubt(moment);
    expect(ledger.isSettled()).toBe(false);
    ledger.settle(moment, 1, false);
    const debt = ledger.debt();
    expect(ledger.isSettled()).toBe(false);
    if (debt) ledger.acknowledge(debt);
    expect(ledger.isSettled()).toBe(true);
  });

  it('counts on its own what is owed, sent and in doubt alike', () => {
    const ledger = new UnsyncedUsage();
    ledger.owe({ bucket: bucket - 2, day: 7 });
    ledger.debt();
    ledger.owe(moment);
    ledger.doubt(moment);
    expect(ledger.onTopOf(state)).toMatchObject({ counts: [2, 0, 1, 0, 0, 0, 0], dayCount: 3 });
  });

  it('keeps for the day what left the minute, and for no other day', () => {
    const ledger = new UnsyncedUsage();
    for (let later = 0; later < 100; later += 1) ledger.owe({ bucket: bucket + later, day: 7 });
    ledger.owe({ bucket: bucket + 100, day: 8 });
    const debt = ledger.debt();
    expect(debt).toMatchObject({ day: 8, dayCount: 1 });
    expect(debt?.counts.length).toBeLessThan(12);
  });
});
