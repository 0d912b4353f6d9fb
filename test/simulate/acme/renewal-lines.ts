import { hours } from '../../../src/rules/check-schedule.ts';
import type { RenewalReport } from './renewal-tally.ts';

interface RenewalRun {
  readonly lifetimeDays: number;
  readonly suggests: string;
  readonly report: RenewalReport;
}

const heads = [
  'lifetime, the authority suggests',
  'domains',
  'certificates',
  'expired',
  'renewals within their window',
  'before it',
  'after it, all by an outage',
  'latest after it',
  'recalled, the last after',
  'least left at a renewal',
  'without an outage',
  'orders, most of one name',
  'orders that failed',
  'refused',
] as const;

/** What became of the certificates of each run, as a table of Markdown. */
export const renewalLines = (runs: readonly RenewalRun[]): readonly string[] => [
  `| ${heads.join(' | ')} |`,
  `|${'---|'.repeat(heads.length)}`,
  ...runs.map((run) => `| ${cellsOf(run).join(' | ')} |`),
];

const inHours = (ms: number): string => `${(ms / hours).toFixed(1)} h`;

const cellsOf = ({ lifetimeDays, suggests, report }: RenewalRun): readonly (string | number)[] => [
  `${lifetimeDays} days, ${suggests}`,
  report.domains,
  report.certificates,
  report.expired + report.never,
  report.within,
  report.early,
  report.late === report.lateByOutage ? report.late : `${report.late}, ${report.lateByOutage} by an outage`,
  inHours(report.latest),
  `${report.recalled}, ${inHours(report.latestRecalled)}`,
  inHours(report.leastLeft),
  inHours(report.leastLeftElse),
  `${report.orders}, ${report.mostOfOne}`,
  report.failedValidations,
  report.refusals,
];
