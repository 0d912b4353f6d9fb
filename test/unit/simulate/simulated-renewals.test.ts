import { expect, it } from '@jest/globals';
import { days, hours } from '../../../src/rules/check-schedule.ts';
import type { IssuedCertificate } from '../../simulate/acme/simulated-authority.ts';
import { windowAround, windowAtTwoThirds } from '../../simulate/acme/simulated-authority.ts';
import { simulateRenewals } from '../../simulate/acme/simulate-renewals.ts';

/**
 * Certificates by the operator's own reconcilers in simulated time, with authority, resolvers and DNS hosts away for a day each, a day of emptied zones,
 * and all certificates recalled once. Fails where a renewal is not begun when its moment in the suggested window comes, not tried
 * again soon after an outage, or placed twice.
 */
it.each<[string, number, number, (certificate: IssuedCertificate) => { start: number; end: number }]>([
  ['of 45 days', 45, 180, windowAround],
  ['of six days', 6, 60, windowAround],
  ['of six days that are renewed with a third left', 6, 60, windowAtTwoThirds],
])('certificates %s never expire, and are renewed within the window that the authority suggests', async (...row) => {
  const [, lifetimeDays, length, windowOf] = row;
  const report = await simulateRenewals({ domains: 3, days: length, lifetimeDays, windowOf });
  const { expired, never, early, late, lateByOutage, refusals, faults } = report;
  expect({ expired, never, early, refusals, faults }).toEqual({
    expired: 0,
    never: 0,
    early: 0,
    refusals: 0,
    faults: 0,
  });
  expect(late).toBe(lateByOutage);
  expect(report.within).toBeGreaterThan(8);
  /** The day of an outage, and the time after which it is tried again. */
  expect(report.latest).toBeLessThan(days + 8 * hours);
  /** It is asked every six hours, which spreads them. */
  expect(report.recalled).toBeGreaterThan(0);
  expect(report.latestRecalled).toBeLessThan(7 * hours);
  expect(report.orders).toBe(report.certificates + report.failedValidations);
});

it('an authority that suggests a time after the end is not followed beyond the net of a quarter of the lifetime', async () => {
  const windowOf = ({ notAfter }: IssuedCertificate) => ({ start: notAfter + days, end: notAfter + 2 * days });
  const report = await simulateRenewals({ domains: 2, days: 60, lifetimeDays: 6, windowOf });
  expect(report.expired).toBe(0);
  expect(report.within).toBe(0);
  expect(report.leastLeft).toBeGreaterThan(6 * hours);
});
