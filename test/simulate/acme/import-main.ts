import { parseArgs } from 'node:util';
import { orderLimits } from '../../support/snapshot.ts';
import { importFaults, importLines } from './import-lines.ts';
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
process.stdout.write(`${importLines(report, `${orders} in 3 h`).join('\n')}\n`);
warn(`after ${((performance.now() - startedAt) / 60_000).toFixed(1)} min, ${report.reconciles} reconciles`);
const faults = importFaults(report);
faults.forEach(warn);
process.exitCode = faults.length > 0 ? 1 : 0;
