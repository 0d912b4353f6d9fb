import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { runJest } from '../../dev/lib/jest.ts';
import type { Counts } from '../../dev/lib/jest-report.ts';
import { temporaryFolder } from '../../dev/lib/temporary.ts';
import { findDebian } from '../../dev/platform/debian.ts';
import { canWildcard } from '../../dev/platform/controllers.ts';
import type { Kubectl } from '../../dev/platform/kubectl.ts';
import { createKubectl } from '../../dev/platform/kubectl.ts';
import { findTool } from '../../dev/platform/tools.ts';
import type { RoutingSettings } from '../../src/routing/create-routes.ts';
import type { Workload } from './cluster-control.ts';
import { clusterActions } from './cluster-control.ts';
import type { UpdateServer } from './conformance-facts.ts';
import { writeConformanceFacts } from './conformance-facts.ts';
import { openPlatformControl } from './platform-control.ts';
import { behaviourFiles, behaviours } from './run-conformance.ts';

/** A cluster in which the chart is installed, and what is ours to use beside it. */
export interface ClusterUnderTest {
  /** a file; whoever it names may do everything in the cluster */
  readonly kubeconfig: string;
  /** namespace of the installation */
  readonly system: string;
  /** in which behaviours have their hostnames */
  readonly zone: string;
  /** the zone's primary name server */
  readonly updates: UpdateServer;
  /** an address of this machine that the cluster's Pods reach */
  readonly serversAddress: string;
  /** name of the edge among those whose exceptions are known; empty for none */
  readonly edge: string;
  /** what answers visitors, to be restarted */
  readonly edgeWorkload: Workload | null;
  /** a file with the roots of whoever issues certificates; null for those that Node.js trusts */
  readonly rootsFile: string | null;
  /** null where the API server cannot be reached from here */
  readonly apiUrl: string | null;
}

const progress = (line: string) => process.stderr.write(`${line}\n`);

/**
 * Runs all behaviours that can be shown in a cluster of somebody else's, or those of the given paths. Their accounts are named after them, and are
 * left; what belongs to an account is deleted. Rejects where the cluster has no installation.
 */
export async function runOnCluster(cluster: ClusterUnderTest, paths: readonly string[]): Promise<Counts> {
  const { kubeconfig, system, edge, serversAddress, updates } = cluster;
  await findDebian([{ file: 'nsupdate', package: 'bind9-dnsutils' }], progress);
  const program = await findTool('kubectl', progress);
  const kubectl = createKubectl(program, kubeconfig);
  const installed = await readInstallation(kubectl, system);
  const { platformDomain, platformAddresses, routing } = installed;
  const serving = routing.classes.find(({ isRetired }) => !isRetired);
  const [ingressAddress] = platformAddresses;
  if (!serving || ingressAddress === undefined) throw new Error(`the installation in ${system} serves nothing`);
  const servesWildcards = canServeWildcards(installed);
  const leftOut = leftOutOf(cluster, servesWildcards);
  for (const [name, why] of leftOut) progress(`left out: ${name}, as ${why}`);
  const dir = temporaryFolder('conformance');
  const control = await openPlatformControl(clusterActions(kubectl, system, cluster.edgeWorkload));
  try {
    const roots = join(dir, 'roots.pem');
    writeFileSync(roots, rootCertificates.join('\n'));
    const facts = writeConformanceFacts(join(dir, 'conformance.json'), {
      kubeconfig,
      kubectl: program,
      ingressAddress,
      acmeRoot: cluster.rootsFile ?? roots,
      platformDomain,
      apiUrl: cluster.apiUrl,
      dnsControl: null,
      routing: serving,
      servesWildcards,
      elsewhere: { updates, serversAddress },
    });
    const ignored = leftOut.flatMap(([name]) => ['--testPathIgnorePatterns', `${behaviours}/${name}\\.test`]);
    return await runJest([...behaviourFiles(paths), ...ignored], {
      env: {
        ...facts,
        PROJECTDOMAIN_ZONE: cluster.zone,
        PROJECTDOMAIN_EDGE: edge,
        PROJECTDOMAIN_CONTROL: control.url,
      },
    });
  } finally {
    control.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Names of behaviours, and why each cannot be shown. */
const leftOutOf = (
  { edgeWorkload, apiUrl }: ClusterUnderTest,
  canWildcard: boolean,
): readonly (readonly [string, string])[] => [
  ['cluster-api-away', 'the kube-apiserver is not ours'],
  ...(edgeWorkload ? [] : [['edge-restarted', 'no --edge-workload is named'] as const]),
  ...(canWildcard ? [] : [['wildcard', 'the installation serves none'] as const]),
  ...(apiUrl === null ? [['own-certificate', 'no --api is named'] as const] : []),
];

/** Parts of the operator's configuration. */
interface Installation {
  readonly platformDomain: string;
  readonly platformAddresses: readonly string[];
  readonly routing: Pick<RoutingSettings, 'classes' | 'wildcards'>;
  readonly challengeZone: object | null;
}

const canServeWildcards = ({ routing, challengeZone }: Installation): boolean =>
  challengeZone !== null && routing.wildcards && routing.classes.every((one) => one.isRetired || canWildcard(one));

async function readInstallation(kubectl: Kubectl, system: string): Promise<Installation> {
  const found = await kubectl.get<{ data: { 'config.json': string } }>('configmap', 'projectdomain-operator', system);
  if (!found) throw new Error(`there is no installation in the namespace ${system}; --namespace names another`);
  return JSON.parse(found.data['config.json']) as Installation;
}
