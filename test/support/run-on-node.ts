import type { Counts } from '../../dev/lib/jest-report.ts';
import { clusterFacts } from '../../dev/platform/node/cluster.ts';
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

/** Runs all behaviours, or those of the given paths, with the chart on a node with real Pods. Root needed. */
export async function runOnNode(paths: readonly string[]): Promise<Counts> {
  const { cluster, stop } = await startInstalled({ issuer });
  try {
    const { zone, updates, stop: stopZone } = await startUpdatableZone(cluster, 'conformance.test');
    try {
      const { apiUrl, acmeRoot, kubeconfig } = await clusterFacts(cluster);
      const options = { kubeconfig, system: systemNamespace, zone, updates, apiUrl, rootsFile: acmeRoot } as const;
      const edge = { edge: 'traefik', edgeWorkload: { namespace: 'traefik', name: 'deployment/traefik' } } as const;
      return await runOnCluster({ ...options, ...edge, serversAddress: cluster.corner.address }, paths);
    } finally {
      await stopZone();
    }
  } finally {
    await stop();
  }
}
