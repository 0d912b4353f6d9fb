import { expect, it } from '@jest/globals';
import { hours } from '../../../src/rules/check-schedule.ts';
import { simulateImport } from '../../simulate/acme/simulate-import.ts';
import { orderLimits } from '../../support/snapshot.ts';

/**
 * An import by the operator's own reconcilers in simulated time, at an authority that counts on its own. Fails where the ledger grants more
 * than an authority takes, forgets a name, or orders what cannot be validated again and again.
 */
it('an import with a fifth of its names broken meets no limit, and each name says what it waits for and until when', async () => {
  const limits = {
    ...orderLimits,
    orders: { count: 30, seconds: 10_800 },
    registeredDomain: { count: 2, seconds: 14_400 },
  };
  const { live, right, liveAfter, busiest, ...report } = await simulateImport({ domains: 40, limits, hours: 30 });
  const { refusals, falselyLive, withoutTime, silent, faults } = report;
  expect({ refusals, falselyLive, withoutTime, silent, faults }).toEqual({
    refusals: 0,
    falselyLive: 0,
    withoutTime: 0,
    silent: 0,
    faults: 0,
  });
  expect(live).toBe(right);
  expect(busiest).toBeGreaterThan(5);
  /** More waited than could be ordered at once. */
  expect(report.waited).toBeGreaterThan(10);
  expect(liveAfter.at(-1)).toBeGreaterThan(3 * hours);
  /** The first, and after pauses that double from five minutes to a day. */
  expect(report.mostFailed).toBeLessThan(14);
});

it('the authority refuses what is beyond its limits: would fail if the simulation could not show it', async () => {
  const limits = { ...orderLimits, orders: { count: 30, seconds: 10_800 } };
  const stricter = { ...limits, orders: { count: 3, seconds: 10_800 } };
  const { refusals } = await simulateImport({ domains: 60, limits, authorityLimits: stricter, hours: 3 });
  expect(refusals).toBeGreaterThan(0);
});
