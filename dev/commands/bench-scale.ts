import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { orEnd } from '../lib/or-end.ts';
import { preflight } from '../platform/preflight.ts';
import { findTools } from '../platform/tools.ts';

/**
 * `npm run bench:scale -- --domains 10000`: what very many domains cost our processes beside a real kube-apiserver, against the
 * bounds of docs/sizing.md. Fails when one is missed.
 */
const tell = (line: string) => console.error(line);
await orEnd(preflight(tell));
await orEnd(findTools(tell));
const program = join(import.meta.dirname, '../../test/scale/main.ts');
const child = spawn(process.execPath, [...process.execArgv, program, ...process.argv.slice(2)], { stdio: 'inherit' });
const stop = () => child.kill();
process.on('disconnect', stop);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
process.exitCode = await new Promise<number>((done) => {
  child.on('close', (status) => done(status ?? 1));
});
if (process.connected) process.disconnect();
