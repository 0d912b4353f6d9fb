import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm run simulate -- --domains 1000000 --days 365`: very many domains over a long time, by the code that decides about
 * looks and orders, in a process that may use four gigabytes. Fails when a certificate expired or a domain was Degraded
 * without a fault of its own.
 */
const program = join(import.meta.dirname, '../../test/simulate/main.ts');
const memory = ['--max-old-space-size=3400', '--max-semi-space-size=64'];
const child = spawn(process.execPath, [...memory, program, ...process.argv.slice(2)], { stdio: 'inherit' });
const stop = () => child.kill();
process.on('disconnect', stop);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
process.exitCode = await new Promise<number>((done) => {
  child.on('close', (status) => done(status ?? 1));
});
if (process.connected) process.disconnect();
