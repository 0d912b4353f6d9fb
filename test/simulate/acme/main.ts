import { parseArgs } from 'node:util';
import { renewalLines } from './renewal-lines.ts';
import { simulateRenewals } from './simulate-renewals.ts';
import { windowAround, windowAtTwoThirds } from './simulated-authority.ts';

/** Let's Encrypt's lifetime from 2027 on, and its short-lived profile; the last as an authority that suggests later would have it. */
const lifetimes = {
  '45d': [{ lifetimeDays: 45, suggests: "as Let's Encrypt, at two thirds", windowOf: windowAround }],
  '6d': [
    { lifetimeDays: 6, suggests: "as Let's Encrypt, at a half", windowOf: windowAround },
    { lifetimeDays: 6, suggests: 'at two thirds', windowOf: windowAtTwoThirds },
  ],
} as const;

const warn = (line: string) => process.stderr.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    issuer: { type: 'string' },
    lifetime: { type: 'string' },
    domains: { type: 'string', default: '40' },
    days: { type: 'string', default: '365' },
  },
});
const [domains, days] = [Number(values.domains), Number(values.days)];
const { lifetime } = values;
const isKnown = lifetime === undefined || lifetime in lifetimes;
if (values.issuer !== 'acme' || !isKnown || !isWhole(domains, 1, 1_000) || !isWhole(days, 60, 400)) {
  warn('--issuer acme, --lifetime is 45d or 6d, --domains is a whole number from 1 to 1000, --days one from 60 to 400');
  process.exit(3);
}

const startedAt = performance.now();
const asked = Object.entries(lifetimes).filter(([name]) => lifetime === undefined || name === lifetime);
const runs = [];
for (const scenario of asked.flatMap(([, scenarios]) => [...scenarios])) {
  const report = await simulateRenewals({ ...scenario, domains, days });
  runs.push({ ...scenario, report });
  warn(`${scenario.lifetimeDays} days, ${scenario.suggests}: after ${minutesSince(startedAt)}`);
}
process.stdout.write(`${renewalLines(runs).join('\n')}\n`);
const wrongs = runs.flatMap(
  ({ lifetimeDays, report: { expired, never, early, late, lateByOutage, refusals, faults } }) => [
    ...(expired + never > 0
      ? [`${expired + never} domains were without a valid certificate of ${lifetimeDays} days`]
      : []),
    ...(early + late - lateByOutage > 0
      ? [`${early + late - lateByOutage} renewals were outside of their window`]
      : []),
    ...(refusals > 0 ? [`${refusals} orders were beyond the authority's limits`] : []),
    ...(faults > 0 ? [`${faults} reconciles failed`] : []),
  ],
);
wrongs.forEach(warn);
process.exitCode = wrongs.length > 0 ? 1 : 0;

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

function minutesSince(start: number): string {
  return `${((performance.now() - start) / 60_000).toFixed(1)} min`;
}
