import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Authority } from '../../dev/dns/authority.ts';
import { startAuthority } from '../../dev/dns/authority.ts';
import { temporaryFolder } from '../../dev/lib/temporary.ts';
import { takeCorner } from '../../dev/platform/address.ts';
import { renderClusterParts, systemNamespace } from '../../dev/platform/chart.ts';
import type { ControlPlane } from '../../dev/platform/control-plane.ts';
import { etcdDirOf, etcdUrlOf, startControlPlane } from '../../dev/platform/control-plane.ts';
import { createClusterClient } from '../../dev/platform/cluster-client.ts';
import type { PlatformContext } from '../../dev/platform/ours.ts';
import { announceRedirector, cnameDomain, platformDomain } from '../../dev/platform/ours.ts';
import type { Around } from '../../dev/platform/services.ts';
import { createIngressClass, installCertManagerKinds, issuerName } from '../../dev/platform/services.ts';
import { findTools } from '../../dev/platform/tools.ts';
import type { RecordValues } from '../../src/rules/dns-target.ts';
import { recordValues } from '../../src/rules/dns-target.ts';
import type { EtcdData } from './etcd-data.ts';
import { openEtcdData } from './etcd-data.ts';
import { hostnameOf } from './made-names.ts';
import type { ProbedEdge } from './probed-edge.ts';
import { startProbedEdge } from './probed-edge.ts';

/** A real kube-apiserver on a real etcd, with DNS and something that answers where the ingress would; none of our processes. */
export interface ScaleCluster {
  readonly around: Around;
  readonly controlPlane: ControlPlane;
  readonly dns: Authority;
  readonly edge: ProbedEdge;
  readonly etcd: EtcdData;
  /** what our processes are told; there is no Redis yet */
  readonly context: PlatformContext;
  /** the values of this installation's key, which the operator makes at its first start */
  records(): Promise<RecordValues>;
  /** Runs before the cluster stops, the last one first. */
  onStop(step: () => Promise<void> | void): void;
  stop(): Promise<void>;
}

export interface ScaleClusterOptions {
  /** puts the data of another cluster into the folder that etcd is about to use; absent: a new cluster */
  readonly copyData?: (etcdDir: string) => void;
  /** the controllers that run; all when absent */
  readonly controllers?: readonly string[];
  /** false: the kube-apiserver leaves out its comparisons of caches with etcd; it makes them when absent */
  readonly comparesCaches?: boolean;
  /** what the kube-apiserver's audit log has; there is none when absent */
  readonly auditPolicy?: object;
  readonly tell: (line: string) => void;
}

const quotaBytes = 8 * 1024 ** 3;
/** A cluster's Services keep their range when its data is copied, whichever corner of loopback is free then. */
const services = { serviceRange: '127.250.0.0/16', firstServiceAddress: '127.250.0.1' } as const;
const hostnamesOfCertificate = 100;

export async function startScaleCluster({ copyData, tell, ...told }: ScaleClusterOptions): Promise<ScaleCluster> {
  const tools = await findTools(tell);
  const dir = temporaryFolder('scale');
  const corner = { ...(await takeCorner()), ...services };
  const undo: (() => Promise<void> | void)[] = [
    () => corner.release(),
    () => rmSync(dir, { recursive: true, force: true }),
  ];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    copyData?.(etcdDirOf(dir));
    const dns = await startAuthority({ ...corner, port: 53 });
    undo.push(() => dns.stop());
    dns.putZone(platformDomain, `* A ${corner.address}\n*.cname A ${corner.address}\n@ A ${corner.address}`);
    const edge = await startProbedEdge({ dir: join(dir, 'edge'), address: corner.address, sharedBy });
    undo.push(() => edge.stop());
    const storesJson = copyData === undefined;
    const controlPlane = await startControlPlane({ dir, tools, corner, node: false, quotaBytes, storesJson, ...told });
    undo.push(() => controlPlane.stop());
    const kubectl = createClusterClient(tools.kubectl, controlPlane.kubeconfig);
    const around: Around = { dir, tools, corner, kubeconfig: controlPlane.kubeconfig, kubectl };
    if (copyData === undefined) await install(around);
    return {
      around,
      controlPlane,
      dns,
      edge,
      etcd: openEtcdData(etcdUrlOf(corner)),
      context: { around, controlPlane, acmeRoot: edge.caFile, redisUrl: '', issuer: 'ClusterIssuer' },
      async records() {
        const secret = await kubectl.get<{ data: { key: string } }>('secret', 'projectdomain-hmac', systemNamespace);
        if (!secret) throw new Error('the installation has no key yet');
        return recordValues(Buffer.from(secret.data.key, 'base64'), cnameDomain);
      },
      onStop: (step) => void undo.push(step),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const issuer = { kind: 'ClusterIssuer', name: issuerName } as const;

/** Definitions, rights and policies, and what stands for cert-manager's issuer and the redirector. */
async function install(around: Around): Promise<void> {
  const { kubectl, tools } = around;
  await installCertManagerKinds(kubectl);
  await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: systemNamespace } });
  await kubectl.run(['apply', '--server-side', '-f', '-'], await renderClusterParts(tools.helm, { issuer }));
  await kubectl.untilEstablished();
  await createIngressClass(kubectl);
  await announceRedirector(around);
  await kubectl.apply({
    apiVersion: 'cert-manager.io/v1',
    kind: issuer.kind,
    metadata: { name: issuer.name },
    spec: { acme: { server: 'https://acme.invalid/dir', privateKeySecretRef: { name: issuerName }, solvers: [] } },
  });
  const status = { acme: { uri: 'https://acme.invalid/account/1' } };
  const patch = ['--subresource=status', '--type=merge', '-p', JSON.stringify({ status })];
  await kubectl.run(['patch', 'clusterissuer', issuer.name, ...patch]);
}

/** A hundred hostnames share a certificate, as making one takes a while, and all of the platform's; the template's have one of their own. */
function sharedBy(hostname: string): { name: string; hostnames: readonly string[] } {
  if (hostname.endsWith(`.${platformDomain}`)) return { name: 'platform', hostnames: [`*.${platformDomain}`] };
  const number = Number(/^www\.d-(\d{6})\.example$/.exec(hostname)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return { name: hostname, hostnames: [hostname] };
  const group = Math.floor(number / hostnamesOfCertificate);
  const first = group * hostnamesOfCertificate;
  const hostnames = Array.from({ length: hostnamesOfCertificate }, (_, at) => hostnameOf(first + at));
  return { name: `group-${group}`, hostnames };
}
