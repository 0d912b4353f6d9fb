import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runJest } from '../lib/jest.ts';
import { printFailures } from '../lib/jest-report.ts';
import { nodePrograms, preflight } from '../platform/preflight.ts';
import { findTools } from '../platform/tools.ts';
import { orEnd } from '../lib/or-end.ts';

/**
 * `npm run e2e`: the chart in a real node with real Pods. It needs root and namespaces; with --where-possible a machine
 * without them is told why, and that is no failure. Other arguments choose among the tests.
 */
const { values, positionals } = parseArgs({
  options: { 'where-possible': { type: 'boolean' } },
  allowPositionals: true,
});

/** What a node does first; it all goes with the namespaces. */
const rehearsal = 'mount --make-rprivate / && mount -t tmpfs tmpfs /run && ip link add here type veth peer name there';

/** null when a node can be made here, else why not. */
function obstacle(): string | null {
  if (process.getuid?.() !== 0) return 'it needs root: a node makes namespaces, mounts and a network';
  try {
    execFileSync('unshare', ['--mount', '--net', '--pid', '--fork', '--mount-proc', '/bin/sh', '-c', rehearsal], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return null;
  } catch (error) {
    return `namespaces cannot be made here: ${String((error as { stderr?: Buffer }).stderr ?? error).trim()}`;
  }
}

/** The chart as it is rendered, the rights it gives, and what lives of it on a node. */
const everything = ['test/cluster/chart', 'test/cluster/policy', 'test/cluster/rbac', 'test/installed'];

const startedAt = Date.now();
const why = obstacle();
if (why !== null) {
  console.log(`e2e was not run: ${why}`);
  process.exit(values['where-possible'] ? 0 : 1);
}
const progress = (line: string) => console.error(line);
await orEnd(preflight(progress, nodePrograms));
await orEnd(findTools(progress));
const { passed, failed, skipped, failures } = await runJest(positionals.length > 0 ? positionals : everything, 1);
printFailures(failures);
console.log(`took ${Math.round((Date.now() - startedAt) / 1_000)} s`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
