import { hours, minutes } from '../../src/rules/check-schedule.ts';
import { orderLimits } from '../support/snapshot.ts';
import { percentile } from '../support/simulated-year.ts';
import type { CertificateReport } from './certificate-tally.ts';
import type { LifetimeScenario } from './scenarios.ts';
import { namesWithin, steadyOrders } from './scenarios.ts';
import type { QuietLooks } from './simulate-quiet-looks.ts';
import type { TouchedLooks } from './simulate-touched-looks.ts';
import type { SimulatedFault } from './simulated-faults.ts';
import type { SimulatedHostnames } from './simulated-hostnames.ts';

const number = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });

const row = (cells: readonly (string | number)[]): string =>
  `| ${cells.map((cell) => (typeof cell === 'number' ? number(cell) : cell)).join(' | ')} |`;

const table = (heads: readonly string[], rows: readonly (readonly (string | number)[])[]): readonly string[] => [
  row(heads),
  `|${'---|'.repeat(heads.length)}`,
  ...rows.map(row),
];

/** The checks of an even year, as a table of Markdown. */
export function lookLines({ size }: SimulatedHostnames, days: number, quiet: QuietLooks): readonly string[] {
  const { sampled, looks, looksAtAll, decided, decidedLooks, packets, writes } = quiet;
  const perSecond = looksAtAll / (days * 86_400);
  return table(
    ['Live domains', 'checks', 'checks/s', 'packets/s', 'writes of status by a domain'],
    [
      [size, looksAtAll, number(perSecond, 1), (packets / decidedLooks) * perSecond, number(writes / decided, 1)],
      [`${number(sampled)} of them, check by check`, looks, '', '', ''],
    ],
  );
}

/** What each fault of DNS did to the names that it touched. */
export const touchedLines = (
  touched: readonly { readonly fault: SimulatedFault; readonly looks: TouchedLooks }[],
): readonly string[] =>
  table(
    [
      'fault',
      'domains',
      'checks',
      'packets at most',
      'writes',
      'Degraded, rightly',
      'falsely',
      'first after',
      'all Live again after',
    ],
    touched.map(({ fault, looks }) => [
      fault.title,
      looks.names,
      looks.looks,
      looks.packets,
      looks.writes,
      looks.degraded,
      looks.falselyDegraded,
      looks.firstDegradedAfter === null ? '' : `${Math.ceil(looks.firstDegradedAfter / minutes)} min`,
      `${Math.ceil(looks.mendedAfter / minutes)} min`,
    ]),
  );

interface CertificateRun extends LifetimeScenario {
  readonly report: CertificateReport;
}

/** Orders and renewals by the lifetime of certificates, beside what Let's Encrypt's own limit would carry. */
export const certificateLines = (runs: readonly CertificateRun[]): readonly string[] =>
  table(
    [
      'lifetime',
      'orders per 3 h: even',
      'limit',
      'busiest',
      'orders in all',
      'refused',
      'failed',
      'without a clear check',
      'most waiting',
      'first order waits: median, 99 %, longest',
      'least lifetime left',
      'expired',
      `domains within ${orderLimits.orders.count} per 3 h`,
    ],
    runs.map(({ lifetimeDays, limits, report }) => [
      `${lifetimeDays} days`,
      steadyOrders(report.names, lifetimeDays, limits),
      limits.orders.count,
      report.busiest,
      report.orders,
      report.refused,
      report.failed,
      report.unconfirmed,
      report.mostWaiting,
      [0.5, 0.99, 1].map((part) => `${number(percentile(report.firstWaits, part) / hours, 1)} h`).join(', '),
      `${number(report.leastLeft * 100, 1)} %`,
      report.expired,
      namesWithin(lifetimeDays, orderLimits),
    ]),
  );
