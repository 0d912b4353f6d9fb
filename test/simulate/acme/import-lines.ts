import { hours } from '../../../src/rules/check-schedule.ts';
import type { ImportReport } from './import-tally.ts';

/** What came of an import, as tables of Markdown; `allowed` is how many orders the authority allows in a window. */
export const importLines = (given: ImportReport, allowed: string): readonly string[] => [
  '| names | Live of those that are right | Live after: median, 95 of 100, the last | orders | most of a name that fails | most in a window, allowed | refused |',
  '|---|---|---|---|---|---|---|',
  `| ${given.domains} | ${given.live} of ${given.right} | ${spread(given.liveAfter)} | ${given.orders} | ${given.mostFailed} | ${given.busiest}, ${allowed} | ${given.refusals} |`,
  '',
  '| names that waited and said until when | ordered later than they first said, below 0 is before: median, 95 of 100, most | than they last said |',
  '|---|---|---|',
  `| ${given.waited} | ${spread(given.firstOff)} | ${spread(given.lastOff)} |`,
];

function spread(ascending: readonly number[]): string {
  const at = (part: number) => ascending[Math.max(0, Math.ceil(ascending.length * part) - 1)] ?? 0;
  return [0.5, 0.95, 1].map((part) => `${(at(part) / hours).toFixed(2)} h`).join(', ');
}

/** What must not be. */
export const importFaults = (report: ImportReport): readonly string[] => [
  ...(report.refusals > 0 ? [`${report.refusals} orders were beyond the authority's limits`] : []),
  ...(report.live < report.right ? [`${report.right - report.live} right names are not Live`] : []),
  ...(report.falselyLive > 0 ? [`${report.falselyLive} broken names are Live`] : []),
  ...(report.withoutTime > 0 ? [`${report.withoutTime} times a name did not say until when it waits`] : []),
  ...(report.silent > 0 ? [`${report.silent} names do not say what is wrong`] : []),
  ...(report.faults > 0 ? [`${report.faults} reconciles failed`] : []),
];
