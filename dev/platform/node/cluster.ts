import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import type { Authority } from '../../dns/authority.ts';
import { startAuthority } from '../../dns/authority.ts';
import { buildImages, registryFolder } from '../../images/images.ts';
import type { NodeCorner } from '../address.ts';
import { takeNodeCorner } from '../address.ts';
import { publishChart } from '../../pack/chart-package.ts';
import { runHelm, systemNamespace } from '../chart.ts';
import { clean } from '../clean.ts';
import type { ControlPlane } from '../control-plane.ts';
import { startControlPlane } from '../control-plane.ts';
import { createDemoAccount } from '../demo-account.ts';
import type { Kubectl } from '../kubectl.ts';
import { createClusterClient } from '../cluster-client.ts';
import { cnameDomain, otherApis, platformDomain } from '../ours.ts';
import type { PlatformFacts } from '../platform.ts';
import type { AcmeAuthority } from '../services.ts';
import { caDomain, createAcmeIssuer, installCertManagerKinds, issuerName, startPebble } from '../services.ts';
import { nodePrograms, preflight } from '../preflight.ts';
import type { Progress } from '../progress.ts';
import { findNodeTools, findTools } from '../tools.ts';
import { clusterDnsAddress, createNode, registryOutside } from './node.ts';
import type { AroundNode, NodeEdge } from './node-edge.ts';
import { runWorkload } from './run-workload.ts';
import { traefikOnNode } from './traefik-edge.ts';
import { certManager, clusterDns, clusterDnsService, imageOf } from './workloads.ts';
import { temporaryFolder } from '../../lib/temporary.ts';

/** A platform of Level 2: one real node with real Pods, in namespaces of its own. */
export interface Cluster {
  readonly dir: string;
  readonly kubectl: Kubectl;
  readonly kubectlProgram: string;
  readonly dns: Authority;
  readonly controlPlane: ControlPlane;
  readonly corner: NodeCorner;
  readonly acme: AcmeAuthority;
  readonly acmeRoot: string;
  /** Creates the issuer that the chart is told; its kind comes with the chart. */
  createIssuer(): Promise<void>;
  /** What this cluster must tell the chart. */
  readonly values: object;
  helm(args: readonly string[], values?: object): Promise<string>;
  /** Packs our chart and pushes it to the node's registry; resolves to what helm is given to take it from there. */
  publishChart(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** null for a temporary folder that goes with the cluster */
  readonly dir: string | null;
  readonly progress: Progress;
  readonly edge?: NodeEdge;
}

export const releaseName = 'projectdomain';
const acmeRootConfigMap = 'acme-root';

/** Everything but our own chart: node, DNS, Pebble, cert-manager and the edge, which is Traefik unless another one is given. Root needed. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dir: given, progress, edge = traefikOnNode } = options;
  if (process.getuid?.() !== 0) throw new Error('a node needs root: it makes namespaces, mounts and a network');
  await preflight(progress, nodePrograms);
  const tools = await findTools(progress);
  const nodeTools = await findNodeTools(progress);
  const images = await buildImages({ tools, nodeTools, progress, further: await edge.programs(progress) });
  const existed = given !== null && existsSync(given);
  const dir = given ?? temporaryFolder('cluster');
  mkdirSync(dir, { recursive: true });
  const before = existed ? new Set(readdirSync(dir)) : null;
  const corner = await takeNodeCorner();
  const undo: (() => Promise<void> | void)[] = [() => corner.release(), () => clean(dir, before)];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    progress('starting a node in namespaces of its own');
    const node = await createNode({ dir, tools: nodeTools, corner, registryFolder });
    undo.push(() => node.stop());
    const dns = await startAuthority({ ...corner, port: 53 });
    undo.push(() => dns.stop());
    dns.putZone(
      platformDomain,
      `* A ${corner.nodeAddress}\n*.cname A ${corner.nodeAddress}\n@ A ${corner.nodeAddress}`,
    );
    const controlPlane = await startControlPlane({ dir, tools, corner, node: true });
    undo.push(
      () => kill(controlPlane),
      () => node.stop(),
    );
    const kubectl = createClusterClient(tools.kubectl, controlPlane.kubeconfig);
    await node.run(controlPlane, kubectl);
    progress('pushing images to the node');
    await images.push(registryOutside(corner));
    const around: AroundNode = { dir, tools, corner, kubeconfig: controlPlane.kubeconfig, kubectl };
    progress('starting Pebble, cert-manager, the edge and the cluster DNS');
    const nameserver = `${corner.address}:53`;
    await Promise.all([installCertManagerKinds(kubectl), kubectl.apply(clusterDnsService(clusterDnsAddress(corner)))]);
    const [acme] = await Promise.all([
      startPebble(around),
      runWorkload(kubectl, clusterDns(nameserver)),
      runWorkload(kubectl, certManager(nameserver)),
      edge.start(around),
    ]);
    undo.push(() => acme.part.stop());
    await kubectl.apply(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: systemNamespace } },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: acmeRootConfigMap, namespace: systemNamespace },
        data: { 'ca.crt': readFileSync(acme.rootFile, 'utf8') },
      },
    );
    return {
      dir,
      kubectl,
      kubectlProgram: tools.kubectl,
      dns,
      controlPlane,
      corner,
      acme,
      acmeRoot: acme.rootFile,
      createIssuer: () => createAcmeIssuer(kubectl, acme),
      values: { ...chartValuesFor(corner), ...edge.values },
      helm: (args, values) =>
        runHelm(tools.helm, [...args, '--kubeconfig', controlPlane.kubeconfig, '--namespace', systemNamespace], values),
      publishChart: () => publishChart(tools.helm, dir, registryOutside(corner)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Nobody is left to be told: an orderly end would wait for watchers whose network is gone. */
async function kill(controlPlane: ControlPlane): Promise<void> {
  for (const part of Object.values(controlPlane.parts)) part.signal('SIGKILL');
  await controlPlane.stop();
}

const chartValuesFor = ({ address, nodeAddress }: NodeCorner) => ({
  platformDomain,
  platformAddresses: [nodeAddress],
  platformTls: 'PerHost',
  issuer: { name: issuerName, caDomains: [caDomain] },
  probe: { caConfigMap: acmeRootConfigMap },
  dns: { roots: [`${address}:53`], resolvers: [`${address}:53`], permittedRanges: [`${address}/24`] },
  image: {
    repository: imageOf('projectdomain').replace(/:[^:]*$/, ''),
    tag: imageOf('projectdomain').split(':').at(-1),
  },
  redis: { included: true, image: imageOf('redis') },
  api: {
    authorize: { apis: otherApis, from: [{ ipBlock: { cidr: '0.0.0.0/0' } }] },
    // Of documentation: nobody here is a proxy whose word counts.
    trustedProxies: ['198.51.100.0/24'],
  },
});

/** Installs or upgrades our chart, from a registry as its users do, and waits until it runs. */
export async function installChart(cluster: Cluster, changes: object = {}): Promise<void> {
  const values = { ...cluster.values, ...changes };
  const chart = await cluster.publishChart();
  await cluster.helm(['upgrade', '--install', releaseName, ...chart, '--wait', '--timeout', '6m'], values);
}

/** What platform.json says of a cluster that our chart is installed in, with an account for whoever drives it. */
export async function clusterFacts(cluster: Cluster): Promise<PlatformFacts> {
  const { kubectl, corner, controlPlane, dns, acmeRoot } = cluster;
  const addressOf = (service: string) =>
    kubectl.run(['get', 'service', service, '-n', systemNamespace, '-o', 'jsonpath={.spec.clusterIP}']);
  const password = await kubectl.run([
    'get',
    'secret',
    'projectdomain-redis',
    '-n',
    systemNamespace,
    '-o',
    'go-template={{.data.password | base64decode}}',
  ]);
  return {
    kubeconfig: controlPlane.kubeconfig,
    kubectl: cluster.kubectlProgram,
    dnsServer: `${corner.address}:53`,
    dnsControl: dns.controlUrl,
    ingressAddress: corner.nodeAddress,
    secondAddress: null,
    acmeRoot,
    cnameDomain,
    platformDomain,
    redisUrl: `redis://:${password}@${await addressOf('projectdomain-redis')}:6379`,
    apiUrl: `http://${await addressOf('projectdomain-api')}`,
    authorizeUrl: `http://${await addressOf('projectdomain-authorize')}/authorize/uploads`,
    apiKey: await createDemoAccount(kubectl, controlPlane.kubeconfig),
    metricsUrls: {
      operator: `http://${await addressOf('projectdomain-operator-metrics')}:9402/metrics`,
      apiServer: `http://${await addressOf('projectdomain-api-metrics')}:9403/metrics`,
      redirector: `http://${await addressOf('projectdomain-redirector-metrics')}:9404/metrics`,
    },
  };
}
