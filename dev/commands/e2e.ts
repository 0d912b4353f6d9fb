import { argumentsOf } from '../lib/arguments.ts';
import { beforeRealParts } from '../lanes/before-real-parts.ts';
import { chosenBelow } from '../lanes/choose-items.ts';
import { nodeObstacle } from '../lanes/node-obstacle.ts';
import { conclude } from '../lanes/report.ts';
import { runItems } from '../lanes/run-items.ts';

/**
 * `npm run e2e`: the chart in a real node with real Pods. It needs root and namespaces. Arguments choose among the tests.
 */
const { positionals } = argumentsOf({ allowPositionals: true });

/** The chart as it is rendered, the rights it gives, and what lives of it on a node. */
const everything = ['test/cluster/chart/', 'test/cluster/policy/', 'test/cluster/rbac/', 'test/installed/'];

const startedAt = Date.now();
const items = chosenBelow(everything, positionals);
const why = nodeObstacle();
if (why !== null) {
  console.log(`e2e was not run: ${why}`);
  process.exit(1);
}
await beforeRealParts({ onNode: true });
process.exit(conclude(await runItems(items), startedAt));
