import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Corner } from './address.ts';
import type { Credentials, Issued, Pki, Subject } from './pki.ts';
import { createPki, kubeconfigOf } from './pki.ts';
import type { Part } from './process.ts';
import { startPart } from './process.ts';
import type { Tools } from './tools.ts';

/** etcd, the API server and the controller manager of one platform. */
export interface ControlPlane {
  readonly server: string;
  /** PEM of the authority that vouches for the API server and for client certificates */
  readonly caFile: string;
  /** administrator's kubeconfig */
  readonly kubeconfig: string;
  /** Writes a kubeconfig for another identity and returns its path. */
  kubeconfigFor(subject: Subject): string;
  /** The same for a ServiceAccount's token. */
  kubeconfigWith(name: string, token: string): string;
  readonly parts: { readonly etcd: Part; readonly apiServer: Part; readonly controllerManager: Part };
  /** Starts the API server again after it was stopped or killed. */
  restartApiServer(): Promise<Part>;
  /** Ends the API server and etcd, has etcd's folder changed, and starts both again: a restore from a snapshot. */
  restoreEtcd(change: (etcdDir: string) => void): Promise<void>;
  stop(): Promise<void>;
}

export interface ControlPlaneOptions {
  readonly dir: string;
  readonly tools: Tools;
  readonly corner: Corner;
  /** there is a kubelet: Pods run, and reach the API server by its Service */
  readonly node: boolean;
  /** how many bytes etcd may hold; its own default when absent */
  readonly quotaBytes?: number;
  /** the controllers that run, as the kube-controller-manager names them; all that do not manage nodes when absent */
  readonly controllers?: readonly string[];
  /** built-in kinds are stored as JSON too, not in Kubernetes' binary form */
  readonly storesJson?: boolean;
  /** false: the API server does not compare its caches with etcd every five minutes, as it does by default */
  readonly comparesCaches?: boolean;
  /** what the API server writes into its audit log (Kubernetes, audit.k8s.io/v1 Policy); there is none when absent */
  readonly auditPolicy?: object;
}

const ports = { etcd: 2379, etcdPeer: 2380, apiServer: 6443, controllerManager: 10257 };

export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { dir, tools, corner } = options;
  mkdirSync(dir, { recursive: true });
  const pki = createPki(join(dir, 'pki'));
  const server = `https://${corner.address}:${ports.apiServer}`;
  const { kubeconfigFor, kubeconfigWith } = createKubeconfigs({ dir, server, pki });
  const kubeconfig = kubeconfigFor({ commonName: 'admin', organizations: ['system:masters'] });
  let etcd = await startEtcd(options);
  const startApi = () => startApiServer(options, pki);
  let apiServer = await orStop(startApi(), () => etcd.stop());
  const stop = async () => {
    await apiServer.stop();
    await etcd.stop();
  };
  const startingManager = startPart({
    name: 'kube-controller-manager',
    program: tools['kube-controller-manager'],
    dir,
    args: [
      `--kubeconfig=${kubeconfigFor({ commonName: 'system:kube-controller-manager' })}`,
      `--service-account-private-key-file=${pki.serviceAccountKey}`,
      `--root-ca-file=${pki.caFile}`,
      `--bind-address=${corner.address}`,
      `--secure-port=${ports.controllerManager}`,
      '--use-service-account-credentials=true',
      '--leader-elect=false',
      `--controllers=${controllersOf(options).join(',')}`,
    ],
  });
  const controllerManager = await orStop(startingManager, stop);
  return {
    server,
    caFile: pki.caFile,
    kubeconfig,
    kubeconfigFor,
    kubeconfigWith,
    get parts() {
      return { etcd, apiServer, controllerManager };
    },
    async restartApiServer() {
      await apiServer.stop();
      apiServer = await startApi();
      return apiServer;
    },
    async restoreEtcd(change) {
      apiServer.signal('SIGKILL');
      await apiServer.stop();
      await etcd.stop();
      change(etcdDirOf(dir));
      etcd = await startEtcd(options);
      apiServer = await startApi();
    },
    async stop() {
      await controllerManager.stop();
      await stop();
    },
  };
}

/** Writes kubeconfigs into a folder. */
export function createKubeconfigs({ dir, server, pki }: { dir: string; server: string; pki: Pki }) {
  const write = (name: string, credentials: Credentials) => {
    const path = join(dir, `${name}.kubeconfig`);
    writeFileSync(path, kubeconfigOf(server, pki.caFile, credentials), { mode: 0o600 });
    return path;
  };
  return {
    kubeconfigFor: (subject: Subject): string => {
      const name = subject.commonName.replace(/[^a-z0-9-]/gi, '-');
      return write(name, pki.issue(name, subject));
    },
    kubeconfigWith: (name: string, token: string): string => write(name, { token }),
  };
}

const controllersOf = ({ controllers, node }: ControlPlaneOptions): readonly string[] =>
  controllers ?? ['*', '-node-ipam-controller', ...(node ? [] : ['-node-lifecycle-controller'])];

/** What a part that does not start was to stand on is not left running. */
async function orStop<T>(starting: Promise<T>, stop: () => Promise<void>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Where etcd keeps its data. A folder of another control plane that was put here before the start is gone on with. */
export const etcdDirOf = (dir: string): string => join(dir, 'etcd');

/** Where the API server keeps its audit log, a JSON object in each line. */
export const auditLogOf = (dir: string): string => join(dir, 'audit.log');

export const etcdUrlOf = ({ address }: Pick<Corner, 'address'>): string => `http://${address}:${ports.etcd}`;

function startEtcd({ dir, tools, corner, quotaBytes }: ControlPlaneOptions): Promise<Part> {
  const client = etcdUrlOf(corner);
  const peer = `http://${corner.address}:${ports.etcdPeer}`;
  return startPart({
    name: 'etcd',
    program: tools.etcd,
    dir,
    args: [
      '--name=platform',
      `--data-dir=${etcdDirOf(dir)}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=platform=${peer}`,
      '--unsafe-no-fsync',
      // As kubeadm sets it: without it a watch of a quiet kind has no bookmarks, and is taken for dead after a minute.
      '--watch-progress-notify-interval=5s',
      ...(quotaBytes === undefined ? [] : [`--quota-backend-bytes=${quotaBytes}`]),
      '--log-level=warn',
    ],
    ready: async () => (await fetch(`${client}/health`, { signal: AbortSignal.timeout(1_000) })).ok,
  });
}

function startApiServer(options: ControlPlaneOptions, pki: Pki): Promise<Part> {
  const { dir, tools, corner, node, storesJson, comparesCaches } = options;
  const serving = pki.issue('apiserver', {
    commonName: 'kube-apiserver',
    san: `IP:${corner.address},IP:${corner.firstServiceAddress},DNS:kubernetes,DNS:localhost`,
  });
  const admin = pki.issue('admin', { commonName: 'admin', organizations: ['system:masters'] });
  return startPart({
    name: 'kube-apiserver',
    program: tools['kube-apiserver'],
    dir,
    args: [
      `--etcd-servers=http://${corner.address}:${ports.etcd}`,
      `--bind-address=${corner.address}`,
      `--advertise-address=${corner.address}`,
      `--secure-port=${ports.apiServer}`,
      `--service-cluster-ip-range=${corner.serviceRange}`,
      `--tls-cert-file=${serving.certFile}`,
      `--tls-private-key-file=${serving.keyFile}`,
      `--client-ca-file=${pki.caFile}`,
      '--authorization-mode=Node,RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${pki.serviceAccountKey}`,
      `--service-account-signing-key-file=${pki.serviceAccountKey}`,
      ...(node ? nodeFlags(admin) : ['--endpoint-reconciler-type=none']),
      ...(storesJson ? ['--storage-media-type=application/json'] : []),
      ...(comparesCaches === false ? ['--feature-gates=DetectCacheInconsistency=false'] : []),
      ...auditFlags(options),
      '--profiling=false',
    ],
    ready: () =>
      isReady(corner.address, readFileSync(pki.caFile), readFileSync(admin.certFile), readFileSync(admin.keyFile)),
  });
}

function auditFlags({ dir, auditPolicy }: ControlPlaneOptions): readonly string[] {
  if (!auditPolicy) return [];
  const file = join(dir, 'audit-policy.json');
  writeFileSync(file, JSON.stringify(auditPolicy));
  return [`--audit-policy-file=${file}`, `--audit-log-path=${auditLogOf(dir)}`, '--audit-log-mode=blocking'];
}

const nodeFlags = ({ certFile, keyFile }: Issued): readonly string[] => [
  `--kubelet-client-certificate=${certFile}`,
  `--kubelet-client-key=${keyFile}`,
  '--kubelet-preferred-address-types=InternalIP',
];

function isReady(host: string, ca: Buffer, cert: Buffer, key: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const ask = request(
      { host, port: ports.apiServer, path: '/readyz', ca, cert, key, agent: false, timeout: 2_000 },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    ask.on('timeout', () => ask.destroy());
    ask.on('error', () => resolve(false));
    ask.end();
  });
}
