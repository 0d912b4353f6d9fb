import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { beforeRealParts } from '../lanes/before-real-parts.ts';
import { chosenBelow } from '../lanes/choose-items.ts';
import { conclude } from '../lanes/report.ts';
import { runItems } from '../lanes/run-items.ts';

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
const everything = ['test/cluster/chart/', 'test/cluster/policy/', 'test/cluster/rbac/', 'test/installed/'];

const startedAt = Date.now();
const items = chosenBelow(everything, positionals);
const why = obstacle();
if (why !== null) {
  console.log(`e2e was not run: ${why}`);
  process.exit(values['where-possible'] ? 0 : 1);
}
await beforeRealParts({ onNode: true });
process.exit(conclude(await runItems(items), startedAt));
