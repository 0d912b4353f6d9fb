import { runChild } from '../lib/run-child.ts';

/**
 * `npm run simulate -- --domains 1000000 --days 365`: very many domains over a long time, by the code that decides about
 * looks and orders, in a process that may use four gigabytes. Fails when a certificate expired or a domain was Degraded
 * without a fault of its own.
 */
const memory = ['--max-old-space-size=3400', '--max-semi-space-size=64'];
process.exitCode = await runChild({ path: 'test/simulate/main.ts', args: process.argv.slice(2), flags: memory });
