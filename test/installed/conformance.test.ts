import { expect, it } from '@jest/globals';
import { installedDeadlineMs } from '../support/installed.ts';
import { runOnNode } from '../support/run-on-node.ts';

/**
 * Behaviours of customers' hostnames in a cluster that their tests did not make: records by dynamic update, servers outside of the cluster, the chart's own
 * Deployments. Fails where `npm run conformance -- --kubeconfig` needs something that only our own platforms have.
 */

const shown = ['serve', 'redirect', 'removal', 'backend-down', 'edge-restarted'];

it(
  'are as they are on our own platforms',
  async () => {
    const { passed, failures } = await runOnNode(
      'traefik',
      shown.map((name) => `test/conformance/${name}.test.ts`),
    );
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThanOrEqual(shown.length);
  },
  2 * installedDeadlineMs,
);
