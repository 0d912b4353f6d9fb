import { runConformance } from '../../test/support/run-conformance.ts';
import type { ClusterUnderTest } from '../../test/support/run-on-cluster.ts';
import { runOnCluster } from '../../test/support/run-on-cluster.ts';
import { runOnNode } from '../../test/support/run-on-node.ts';
import { runUpstream } from '../../test/support/run-upstream.ts';
import { argumentsOf } from '../lib/arguments.ts';
import { runJest } from '../lib/jest.ts';
import { printFailures } from '../lib/jest-report.ts';
import { orEnd } from '../lib/or-end.ts';
import { systemNamespace } from '../platform/chart.ts';

/**
 * `npm run conformance -- --edge NAME`: what customers' hostnames do behind one edge (dev/platform/edges.ts), a behaviour a file and a manifest
 * of the same name, all on one platform of Level 1. Other arguments choose among the files.
 * `--kubeconfig FILE`: in a cluster in which the chart is installed; docs/edges.md says what else is needed. `--node`: on a platform of Level 2.
 * `--upstream`: Gateway API's own conformance tests, with Envoy Gateway on a platform of Level 2; other arguments are names of its tests.
 * `--move-to NAME`: that an installation moves from Traefik to that edge, which has a Gateway, on a platform with both.
 */
const { values, positionals } = argumentsOf({
  options: {
    edge: { type: 'string' },
    'move-to': { type: 'string' },
    kubeconfig: { type: 'string' },
    node: { type: 'boolean', default: false },
    upstream: { type: 'boolean', default: false },
    namespace: { type: 'string', default: systemNamespace },
    zone: { type: 'string' },
    'update-server': { type: 'string' },
    'update-key': { type: 'string' },
    'serve-at': { type: 'string' },
    'edge-workload': { type: 'string' },
    roots: { type: 'string' },
    api: { type: 'string' },
  },
  allowPositionals: true,
});

/** Ends with a sentence where one of the arguments is missing that a cluster needs. */
function clusterOf(kubeconfig: string): ClusterUnderTest {
  const { zone, 'update-server': address, 'serve-at': serversAddress } = values;
  if (zone === undefined || address === undefined || serversAddress === undefined) {
    console.error('with --kubeconfig, --zone, --update-server and --serve-at are needed (docs/edges.md)');
    process.exit(2);
  }
  const { 'update-key': keyFile = null, roots = null, api = null, namespace, edge = '' } = values;
  return {
    kubeconfig,
    system: namespace,
    zone,
    updates: { address, keyFile },
    serversAddress,
    edge,
    edgeWorkload: workloadOf(values['edge-workload']),
    rootsFile: roots,
    apiUrl: api,
  };
}

/** NAMESPACE/KIND/NAME */
function workloadOf(text: string | undefined): ClusterUnderTest['edgeWorkload'] {
  if (text === undefined) return null;
  const [, namespace, name] = /^([^/]+)\/([^/]+\/[^/]+)$/.exec(text) ?? [];
  if (namespace === undefined || name === undefined) {
    console.error(`--edge-workload is NAMESPACE/KIND/NAME, such as edge/deployment/envoy, not ${text}`);
    process.exit(2);
  }
  return { namespace, name };
}

function running() {
  const { 'move-to': destination, kubeconfig, edge = 'traefik' } = values;
  if (destination !== undefined) return runJest(['test/e2e/edges'], { env: { PROJECTDOMAIN_MOVE_TO: destination } });
  if (kubeconfig !== undefined) return runOnCluster(clusterOf(kubeconfig), positionals);
  if (values.upstream) return runUpstream(positionals);
  if (values.node) return runOnNode(edge, positionals);
  return runConformance(edge, positionals);
}

const startedAt = Date.now();
const { passed, failed, skipped, failures } = await orEnd(running());
printFailures(failures);
console.log(`took ${Math.round((Date.now() - startedAt) / 1_000)} s`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
