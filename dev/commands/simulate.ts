import { runChild } from '../lib/run-child.ts';

/**
 * `npm run simulate -- --domains 1000000 --days 365`: very many domains over a long time, by the code that decides about
 * looks and orders, in a process that may use four gigabytes. Fails when a certificate expired or a domain was Degraded
 * without a fault of its own.
 *
 * `npm run simulate -- --issuer acme --lifetime 6d --domains 100`: fewer domains, by everything that the operator does where it orders itself.
 * Fails when a certificate expired, or a renewal was outside of the window that its authority suggested and no outage explains that.
 *
 * `npm run simulate -- --import 10000`: the same code with so many names added at once, a fifth of them broken, at an authority that keeps
 * Let's Encrypt's limits. Fails when one is overstepped, a right name does not become Live, or one that waits does not say why and until when.
 */
const args = process.argv.slice(2);
const programs = { '--issuer': 'test/simulate/acme/main.ts', '--import': 'test/simulate/acme/import-main.ts' };
const path = Object.entries(programs).find(([option]) => args.includes(option))?.[1] ?? 'test/simulate/main.ts';
const memory = ['--max-old-space-size=3400', '--max-semi-space-size=64'];
process.exitCode = await runChild({ path, args, flags: memory });
