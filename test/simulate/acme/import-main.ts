import { parseArgs } from 'node:util';
import { hours } from '../../../src/rules/check-schedule.ts';
import { orderLimits } from '../../support/snapshot.ts';
import type { ImportReport } from './import-tally.ts';
import { simulateImport } from './simulate-import.ts';

const warn = (line: string) => process.stderr.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    import: { type: 'string', default: '10000' },
    orders: { type: 'string', default: '300' },
    hours: { type: 'string', default: '400' },
  },
});
const [domains, orders, length] = [Number(values.import), Number(values.orders), Number(values.hours)];
const inRange = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most;
if (!inRange(domains, 10, 10_000) || !inRange(orders, 5, 100_000) || !inRange(length, 1, 2_000)) {
  warn(
    '--import is a whole number from 10 to 10000, --orders how many the authority allows in three hours, --hours how long',
  );
  process.exit(3);
}

const startedAt = performance.now();
const limits = { ...orderLimits, orders: { ...orderLimits.orders, count: orders } };
const report = await simulateImport({ domains, limits, hours: length });
process.stdout.write(`${linesOf(report).join('\n')}\n`);
warn(`after ${((performance.now() - startedAt) / 60_000).toFixed(1)} min, ${report.reconciles} reconciles`);
const wrongs = [
  ...(report.refusals > 0 ? [`${report.refusals} orders were beyond the authority's limits`] : []),
  ...(report.live < report.right ? [`${report.right - report.live} right names are not Live`] : []),
  ...(report.falselyLive > 0 ? [`${report.falselyLive} broken names are Live`] : []),
  ...(report.withoutTime > 0 ? [`${report.withoutTime} times a name did not say until when it waits`] : []),
  ...(report.silent > 0 ? [`${report.silent} names do not say what is wrong`] : []),
  ...(report.faults > 0 ? [`${report.faults} reconciles failed`] : []),
];
wrongs.forEach(warn);
process.exitCode = wrongs.length > 0 ? 1 : 0;

function linesOf(given: ImportReport): readonly string[] {
  return [
    '| names | Live of those that are right | Live after: median, 95 of 100, the last | orders | most of a name that fails | most in 3 h, allowed | refused |',
    '|---|---|---|---|---|---|---|',
    `| ${given.domains} | ${given.live} of ${given.right} | ${spread(given.liveAfter)} | ${given.orders} | ${given.mostFailed} | ${given.busiest}, ${orders} | ${given.refusals} |`,
    '',
    '| names that waited and said until when | ordered later than they first said | than they last said; below 0 is before |',
    '|---|---|---|',
    `| ${given.waited} | ${spread(given.firstOff)} | ${spread(given.lastOff)} |`,
  ];
}

function spread(ascending: readonly number[]): string {
  const at = (part: number) => ascending[Math.max(0, Math.ceil(ascending.length * part) - 1)] ?? 0;
  return [0.5, 0.95, 1].map((part) => `${(at(part) / hours).toFixed(1)} h`).join(', ');
}
