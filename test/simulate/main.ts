import { parseArgs } from 'node:util';
import { driftInterval } from '../../src/rules/check-schedule.ts';
import { orderLimits } from '../support/snapshot.ts';
import { certificateLines, lookLines, touchedLines } from './report.ts';
import { scenariosOf } from './scenarios.ts';
import { simulateCertificates } from './simulate-certificates.ts';
import { simulateQuietLooks } from './simulate-quiet-looks.ts';
import { simulateTouchedLooks } from './simulate-touched-looks.ts';
import { simulatedFaults } from './simulated-faults.ts';
import { createHostnames } from './simulated-hostnames.ts';

const sample = { sampled: 20_000, decided: 200 };

const warn = (line: string) => process.stderr.write(`${line}\n`);

const { values } = parseArgs({
  options: { domains: { type: 'string', default: '1000000' }, days: { type: 'string', default: '365' } },
});
const [size, days] = [Number(values.domains), Number(values.days)];
if (!Number.isInteger(size) || size < 100 || size > 2_000_000 || !Number.isInteger(days) || days < 30 || days > 400) {
  warn('--domains is a whole number from 100 to 2000000, --days one from 30 to 400');
  process.exit(3);
}

const startedAt = performance.now();
const hostnames = createHostnames(size);
const faults = simulatedFaults(hostnames, days);
/** The budget of looks is as large as the shortest interval needs. */
const interval = driftInterval({ served: size, looksPerSecond: Math.ceil(size / (15 * 60)) });
const wrongs: string[] = [];
const print = (lines: readonly string[]) => process.stdout.write(`${lines.join('\n')}\n\n`);

print(lookLines(hostnames, days, simulateQuietLooks(hostnames, { ...sample, days, driftInterval: interval })));
const touched = faults
  .filter(({ dns }) => dns !== 'yes')
  .map((fault) => ({ fault, looks: simulateTouchedLooks(hostnames, fault, interval) }));
print(touchedLines(touched));
for (const { fault, looks } of touched)
  if (looks.falselyDegraded > 0) wrongs.push(`${looks.falselyDegraded} domains were Degraded although ${fault.title}`);

const runs = scenariosOf(size, orderLimits).map((scenario) => {
  const report = simulateCertificates({ ...scenario, hostnames, faults, days, replacedPerYear: 0.12 });
  warn(`certificates of ${scenario.lifetimeDays} days: done after ${minutesSince(startedAt)}`);
  if (report.expired > 0) wrongs.push(`${report.expired} certificates of ${scenario.lifetimeDays} days expired`);
  if (report.violations > 0) wrongs.push(`${report.violations} orders were beyond the authority's limit`);
  return { ...scenario, report };
});
print(certificateLines(runs));
warn(`${minutesSince(startedAt)}, ${Math.round(process.resourceUsage().maxRSS / 1_024)} MiB at most`);
for (const wrong of wrongs) warn(wrong);
process.exitCode = wrongs.length > 0 ? 1 : 0;

function minutesSince(start: number): string {
  return `${((performance.now() - start) / 60_000).toFixed(1)} min`;
}
