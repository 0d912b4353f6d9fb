import { expect, it } from '@jest/globals';
import { days, hours, minutes } from '../../../src/rules/check-schedule.ts';
import { createHostnames } from '../../simulate/simulated-hostnames.ts';
import type { SimulatedFault } from '../../simulate/simulated-faults.ts';
import { simulatedFaults } from '../../simulate/simulated-faults.ts';
import { mayOrder } from '../../simulate/order-gate.ts';
import { simulateCertificates } from '../../simulate/simulate-certificates.ts';
import { looksUntil, simulateQuietLooks } from '../../simulate/simulate-quiet-looks.ts';
import { simulateTouchedLooks } from '../../simulate/simulate-touched-looks.ts';
import { orderLimits } from '../../support/snapshot.ts';

const hostnames = createHostnames(1_000);
const faults = simulatedFaults(hostnames, 60);
const lifetime = 90 * days;
const driftInterval = 15 * minutes;
const left = (share: number) => ({ now: 1_000 * days, notAfter: 1_000 * days + share * lifetime, lifetime });

it.each([
  ['a yes', 'yes', left(1 / 3), 'yes'],
  ['an unknown with a third of the lifetime left', 'unknown', left(1 / 3), 'no'],
  ['an unknown in the last fifth', 'unknown', left(0.15), 'unconfirmed'],
  ['an unknown after the certificate ended', 'unknown', left(-0.01), 'no'],
  ['a no in the last fifth', 'no', left(0.05), 'no'],
  ['an unknown before the first certificate', 'unknown', { ...left(1), notAfter: 0 }, 'no'],
] as const)('%s: an order is decided as the operator does', (_, answer, renewal, may) => {
  expect(mayOrder(answer, renewal)).toBe(may);
});

const certificates = (count: number, lifetimeDays: number) =>
  simulateCertificates({
    hostnames,
    faults,
    days: 60,
    lifetimeDays,
    limits: { ...orderLimits, orders: { ...orderLimits.orders, count } },
    replacedPerYear: 0.12,
  });

it('with enough orders no certificate expires, and the authority is never asked for more than it allows', () => {
  const { expired, violations, refused, firsts, renewals, leastLeft } = certificates(60, 6);
  expect({ expired, violations }).toEqual({ expired: 0, violations: 0 });
  /** One order an hour tries whether the authority is back; without it 61 are refused. */
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(10);
  expect(firsts).toBeGreaterThan(10);
  expect(renewals).toBeGreaterThan(1_000 * 10);
  expect(leastLeft).toBeGreaterThan(0);
});

it('with half of the orders that an even year needs certificates expire: would fail if the simulation could not show it', () => {
  expect(certificates(15, 6).expired).toBeGreaterThan(100);
});

it.each([0, 1, 17, 999])(
  'the looks at name %i in closed form are those of the schedule, and one that says the same writes nothing',
  (name) => {
    const one = { ...createHostnames(1), uidOf: () => hostnames.uidOf(name) };
    const { looks, looksAtAll, writes, decidedLooks } = simulateQuietLooks(one, {
      sampled: 1,
      decided: 1,
      days: 60,
      driftInterval,
    });
    expect(looksAtAll).toBe(looksUntil(hostnames.uidOf(name), 60 * days, driftInterval));
    expect({ looks, decidedLooks, writes }).toEqual({ looks: looksAtAll, decidedLooks: looksAtAll, writes: 0 });
  },
);

const fault = (dns: SimulatedFault['dns'], lasts: number): SimulatedFault => ({
  title: 'a test',
  from: 10 * days,
  to: 10 * days + lasts,
  dns,
  authorityRefuses: false,
  touches: (name) => name < 50,
});

it.each([
  ['an unknown for two days', fault('unknown', 2 * days), { degraded: 0, falselyDegraded: 0 }],
  ['a no for half an hour', fault('no', hours / 2), { degraded: 0, falselyDegraded: 0 }],
  ['a no for two hours', fault('no', 2 * hours), { degraded: 50, falselyDegraded: 0 }],
])('%s: Degraded is who was seen wrong for an hour, and nobody else', (_, given, counts) => {
  const { names, firstDegradedAfter, mendedAfter, ...looks } = simulateTouchedLooks(hostnames, given, driftInterval);
  expect(looks).toMatchObject(counts);
  expect(names).toBe(50);
  expect(firstDegradedAfter === null).toBe(counts.degraded === 0);
  if (firstDegradedAfter !== null) expect(firstDegradedAfter).toBeGreaterThan(hours);
  expect(mendedAfter).toBeLessThan(20 * minutes);
});

it('with a check every three hours, a domain that begins to fail is still checked eight times in two hours', () => {
  const lost = fault('no', 12 * hours);
  const { degraded, falselyDegraded, looks } = simulateTouchedLooks(hostnames, lost, 3 * hours);
  expect({ degraded, falselyDegraded }).toEqual({ degraded: 50, falselyDegraded: 0 });
  /** Eight in the first two hours and a few more later; four or five in all if the streak waited for the budget. */
  expect(looks).toBeGreaterThan(50 * 8);
  expect(looks).toBeLessThan(50 * 16);
});
