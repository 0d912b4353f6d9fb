import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ended, eventually, expectThat } from '../../lib/eventually.ts';
import type { NodeCorner } from '../address.ts';
import type { ControlPlane } from '../control-plane.ts';
import type { Kubectl } from '../kubectl.ts';
import type { Part } from '../process.ts';
import { startPart } from '../process.ts';
import type { NodeTools } from '../tools.ts';
import { makeCgroup, removeCgroup } from './cgroup.ts';
import { joinNetworks } from './link.ts';

/** What a node is made of. */
export interface NodeOptions {
  readonly dir: string;
  readonly tools: NodeTools;
  readonly corner: NodeCorner;
  /** where the images of the registry are kept; outlives the node */
  readonly registryFolder: string;
}

/** A machine of its own in namespaces: nothing of it is left when its first process ends. */
export interface Node {
  /** Starts containerd, kubelet, kube-proxy and the registry; resolves when the node is Ready. */
  run(controlPlane: ControlPlane, kubectl: Kubectl): Promise<void>;
  stop(): Promise<void>;
}

const nodeName = 'node';
const registryPort = 5_000;
/** Inside the node the registry is on loopback, where containerd speaks plain HTTP. */
export const registryInside = `127.0.0.1:${registryPort}`;
export const registryOutside = ({ nodeAddress }: NodeCorner): string => `${nodeAddress}:${registryPort}`;
export const clusterDnsAddress = ({ serviceRange }: NodeCorner): string => serviceRange.replace(/0\/24$/, '10');

/** Makes the namespaces and the network; the corner's addresses exist from here on. */
export async function createNode(options: NodeOptions): Promise<Node> {
  const { dir, corner } = options;
  for (const folder of ['commands', 'logs', 'bin', 'var', 'cni']) mkdirSync(join(dir, folder), { recursive: true });
  const script = join(import.meta.dirname, 'node.sh');
  makeCgroup(corner.cgroup);
  const namespaces = ['--mount', '--net', '--pid', '--mount-proc', '--fork', '--kill-child'];
  const part = await startPart({
    name: 'node',
    program: 'unshare',
    dir,
    args: [...namespaces, '/bin/sh', script, dir],
  });
  const others: Part[] = [];
  const stop = async () => {
    await end(part, corner);
    await Promise.all(others.map((other) => other.stop()));
  };
  try {
    joinNetworks(await firstProcess(part), corner);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stop,
    async run(controlPlane, kubectl) {
      others.push(await startScheduler(options, controlPlane));
      await run(options, part, controlPlane, kubectl);
    },
  };
}

/** unshare does not forward signals; when it is killed the kernel kills its child, and that is the whole node. */
async function end(part: Part, corner: NodeCorner): Promise<void> {
  if (part.exitStatus() !== null) return;
  part.signal('SIGKILL');
  await part.stop();
  await eventually('the control group of the node is empty', 20_000, () =>
    Promise.resolve(removeCgroup(corner.cgroup)),
  );
}

function firstProcess({ pid }: Part): Promise<number> {
  return eventually('the namespaces are there', 5_000, () => {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    expectThat(Number(child) > 0, 'unshare has no child');
    return Promise.resolve(Number(child));
  });
}

async function run(options: NodeOptions, part: Part, controlPlane: ControlPlane, kubectl: Kubectl): Promise<void> {
  const { dir, tools, corner, registryFolder } = options;
  const config = (name: string, content: object | string) => {
    const path = join(dir, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    return path;
  };
  const command = (name: string, ...words: readonly string[]) => {
    const path = config(`commands/${name}`, `exec ${words.map((word) => `'${word}'`).join(' ')}\n`);
    chmodSync(path, 0o755);
  };
  // containerd finds its shim on PATH, which is its own folder and the system's.
  symlinkSync(tools['containerd-shim-runc-v2'], join(dir, 'bin/containerd-shim-runc-v2'));
  const path = `PATH=${join(dir, 'bin')}:/usr/sbin:/usr/bin:/sbin:/bin`;
  config('cni/10-node.conflist', cniConfig(corner));
  const containerd = config('containerd.toml', containerdConfig(dir));
  command('containerd', '/usr/bin/env', path, tools.containerd, '--config', containerd);
  command('registry', tools.crane, 'registry', 'serve', '--address', `:${registryPort}`, '--disk', registryFolder);
  const resolv = config('resolv.conf', `nameserver ${corner.address}\n`);
  const kubelet = config('kubelet.json', kubeletConfig({ dir, corner, controlPlane, resolv }));
  command(
    'kubelet',
    '/usr/bin/env',
    path,
    tools.kubelet,
    `--config=${kubelet}`,
    `--kubeconfig=${controlPlane.kubeconfigFor({ commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] })}`,
    `--hostname-override=${nodeName}`,
    `--node-ip=${corner.nodeAddress}`,
    `--root-dir=${join(dir, 'var/lib/kubelet')}`,
  );
  const proxy = config('kube-proxy.json', proxyConfig(corner, controlPlane));
  command('kube-proxy', '/usr/bin/env', path, tools['kube-proxy'], `--config=${proxy}`);
  config('go', '');
  await eventually('the node is Ready', 60_000, async () => {
    // Its link is gone with it, and its addresses lead anywhere.
    if (part.exitStatus() !== null) throw new Ended(`the node has ended:\n${endsOfLogs(dir)}`);
    await kubectl.run(['wait', '--for=condition=Ready', `node/${nodeName}`, '--timeout=5s']);
  });
}

/** What each of its programs said last: when one ends, the node does. */
const endsOfLogs = (dir: string): string =>
  readdirSync(join(dir, 'logs'))
    .filter((name) => name.startsWith('node'))
    .map((name) => `${name}: ${readFileSync(join(dir, 'logs', name), 'utf8').slice(-500)}`)
    .join('\n');

const schedulerPort = 10_259;

/** Beside the API server, outside of the node. */
function startScheduler({ dir, tools, corner }: NodeOptions, controlPlane: ControlPlane): Promise<Part> {
  return startPart({
    name: 'kube-scheduler',
    program: tools['kube-scheduler'],
    dir,
    args: [
      `--kubeconfig=${controlPlane.kubeconfigFor({ commonName: 'system:kube-scheduler' })}`,
      '--leader-elect=false',
      `--bind-address=${corner.address}`,
      `--secure-port=${schedulerPort}`,
    ],
  });
}

const cniConfig = ({ podRange }: NodeCorner) => ({
  cniVersion: '1.0.0',
  name: 'node',
  plugins: [
    {
      type: 'ptp',
      ipMasq: true,
      ipam: { type: 'host-local', ranges: [[{ subnet: podRange }]], routes: [{ dst: '0.0.0.0/0' }] },
    },
    { type: 'portmap', capabilities: { portMappings: true }, snat: true },
  ],
});

/** Without CAP_SYS_RESOURCE runc may not lower a score; cgroups are the kubelet's own, not systemd's. */
const containerdConfig = (dir: string): string => `version = 3
root = '${join(dir, 'containerd')}'
state = '/run/containerd'
[grpc]
  address = '/run/containerd/containerd.sock'
[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox = '${registryInside}/pause:1'
[plugins.'io.containerd.cri.v1.runtime']
  restrict_oom_score_adj = true
  [plugins.'io.containerd.cri.v1.runtime'.cni]
    bin_dirs = ['/usr/lib/cni']
    conf_dir = '${join(dir, 'cni')}'
  [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
    runtime_type = 'io.containerd.runc.v2'
    [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
      SystemdCgroup = false
`;

interface KubeletParts {
  readonly dir: string;
  readonly corner: NodeCorner;
  readonly controlPlane: ControlPlane;
  readonly resolv: string;
}

const kubeletConfig = ({ dir, corner, controlPlane, resolv }: KubeletParts) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  address: corner.nodeAddress,
  authentication: {
    x509: { clientCAFile: controlPlane.caFile },
    webhook: { enabled: true },
    anonymous: { enabled: false },
  },
  authorization: { mode: 'Webhook' },
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${corner.cgroup}`,
  clusterDNS: [clusterDnsAddress(corner)],
  clusterDomain: 'cluster.local',
  containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
  enforceNodeAllocatable: [],
  evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  failCgroupV1: false,
  failSwapOn: false,
  imageGCHighThresholdPercent: 100,
  podLogsDir: join(dir, 'var/log/pods'),
  resolvConf: resolv,
  rotateCertificates: false,
});

const proxyConfig = (corner: NodeCorner, controlPlane: ControlPlane) => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  bindAddress: corner.nodeAddress,
  healthzBindAddress: `${corner.nodeAddress}:10256`,
  metricsBindAddress: `${corner.nodeAddress}:10249`,
  clientConnection: { kubeconfig: controlPlane.kubeconfigFor({ commonName: 'system:kube-proxy' }) },
  clusterCIDR: corner.podRange,
  conntrack: { maxPerCore: 0 },
  hostnameOverride: nodeName,
  mode: 'iptables',
});
