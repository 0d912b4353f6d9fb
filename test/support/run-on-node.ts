import type { Counts } from '../../dev/lib/jest-report.ts';
import { clusterFacts } from '../../dev/platform/node/cluster.ts';
import { envoyGatewayOnNode } from '../../dev/platform/node/envoy-gateway-edge.ts';
import type { NodeEdge } from '../../dev/platform/node/node-edge.ts';
import { traefikOnNode } from '../../dev/platform/node/traefik-edge.ts';
import { caDomain, issuerName } from '../../dev/platform/services.ts';
import { startInstalled, systemNamespace } from './installed.ts';
import { runOnCluster } from './run-on-cluster.ts';
import { startUpdatableZone } from './updatable-zone.ts';

/** The zone is one registrable domain, in which behaviours have more certificates than Let's Encrypt gives in a week. */
const issuer = {
  name: issuerName,
  caDomains: [caDomain],
  limits: { orders: { count: 3_000, seconds: 10_800 }, registeredDomain: { count: 3_000, seconds: 604_800 } },
};

/** What can serve hostnames on a node, by the name on the command line. */
const nodeEdges: Readonly<Record<string, NodeEdge>> = { traefik: traefikOnNode, 'envoy-gateway': envoyGatewayOnNode };

/**
 * Runs all behaviours, or those of the given paths, with the chart on a node with real Pods. Root needed. Rejects where no edge of that name runs
 * on a node.
 */
export async function runOnNode(name: string, paths: readonly string[]): Promise<Counts> {
  const edge = nodeEdges[name];
  if (!edge) throw new Error(`on a node, --edge is ${Object.keys(nodeEdges).join(' or ')}, not ${name}`);
  const { cluster, stop } = await startInstalled({ issuer }, edge);
  try {
    const { zone, updates, stop: stopZone } = await startUpdatableZone(cluster, 'conformance.test');
    try {
      const { apiUrl, acmeRoot, kubeconfig } = await clusterFacts(cluster);
      const options = { kubeconfig, system: systemNamespace, zone, updates, apiUrl, rootsFile: acmeRoot } as const;
      const serving = { edge: name, edgeWorkload: edge.workload } as const;
      return await runOnCluster({ ...options, ...serving, serversAddress: cluster.corner.address }, paths);
    } finally {
      await stopZone();
    }
  } finally {
    await stop();
  }
}
