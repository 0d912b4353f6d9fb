import { spawn } from 'node:child_process';
import type { Counts } from '../../dev/lib/jest-report.ts';
import { startCluster } from '../../dev/platform/node/cluster.ts';
import { upstreamClass, upstreamOnNode } from '../../dev/platform/node/upstream-edge.ts';
import { imageOf } from '../../dev/platform/node/workloads.ts';
import { findTool } from '../../dev/platform/tools.ts';
import { upstreamCounts } from './upstream-counts.ts';

/** What routes of ours are made of (src/routing/gateway/gateway-routes.ts), and ReferenceGrants, which Gateways of users have. */
const features = [
  'Gateway',
  'HTTPRoute',
  'ReferenceGrant',
  'ListenerSet',
  'HTTPRouteSchemeRedirect',
  'HTTPRouteBackendProtocolH2C',
  'HTTPRouteBackendProtocolWebSocket',
];

const wholeMinutes = 60;

/**
 * Gateway API's own conformance tests for these features, or those of the given names, on a node with Envoy Gateway. Root needed.
 * Rejects where the node cannot be started.
 */
export async function runUpstream(names: readonly string[]): Promise<Counts> {
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  const program = await findTool('gateway-api-conformance', progress);
  const cluster = await startCluster({ dir: null, progress, edge: upstreamOnNode });
  try {
    const output = await outputOfTests(program, {
      args: [
        '-test.v',
        `-test.timeout=${wholeMinutes}m`,
        `-test.run=^GatewayAPI$/^(${names.length > 0 ? names.join('|') : '.*'})$`,
        `-gateway-class=${upstreamClass}`,
        `-supported-features=${features.join(',')}`,
        `-image=${imageOf('echo-basic').replace('echo-basic', 'NAME')}`,
      ],
      kubeconfig: cluster.controlPlane.kubeconfig,
    });
    return upstreamCounts(output);
  } finally {
    await cluster.stop();
  }
}

interface Tests {
  readonly args: readonly string[];
  readonly kubeconfig: string;
}

/** What they print, which is shown at once; how they end is told by it. */
function outputOfTests(program: string, { args, kubeconfig }: Tests): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, KUBECONFIG: kubeconfig };
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      process.stderr.write(chunk);
    });
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}
