import { orEnd } from '../lib/or-end.ts';
import { runChild } from '../lib/run-child.ts';
import { preflight } from '../platform/preflight.ts';
import { findTools } from '../platform/tools.ts';

/**
 * `npm run bench:scale -- --domains 10000`: what very many domains cost our processes beside a real kube-apiserver, against the
 * bounds of docs/sizing.md. Fails when one is missed.
 */
const tell = (line: string) => console.error(line);
await orEnd(preflight(tell));
await orEnd(findTools(tell));
const args = process.argv.slice(2);
process.exitCode = await runChild({ path: 'test/scale/main.ts', args, flags: process.execArgv });
