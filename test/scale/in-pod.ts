import { copyFileSync, existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { leastValues, renderChart } from '../../dev/platform/chart.ts';
import type { OurName, OurPart } from '../../dev/platform/ours.ts';
import { metricsUrlOf, settingsOf, tokenOf } from '../../dev/platform/ours.ts';
import { startPart } from '../../dev/platform/process.ts';
import { onOurProcessor } from './processors.ts';
import { imageEnvironment, nodeArguments, programInImage } from './image.ts';
import type { ScaleCluster } from './scale-cluster.ts';

/** What the chart and the image say of one of our containers. */
interface ShippedContainer {
  /** Node's own arguments */
  readonly nodeArguments: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly memoryLimit: string;
}

interface Container {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly resources: { readonly limits: { readonly memory: string } };
}

interface Deployment {
  readonly kind?: string;
  readonly spec?: { readonly template?: { readonly spec: { readonly containers: readonly Container[] } } };
}

const containerNames: Readonly<Record<OurName, string>> = {
  operator: 'operator',
  'api-server': 'api',
  redirector: 'redirector',
};

/** Reads the chart's rendering and the image's entry point. */
async function shippedContainer(name: OurName, helm: string): Promise<ShippedContainer> {
  const rendered = await renderChart(helm, leastValues, ['operator.yaml', 'redirector.yaml']);
  const containers = parseAllDocuments(rendered)
    .map((document) => document.toJS() as Deployment | null)
    .flatMap((one) => (one?.kind === 'Deployment' ? (one.spec?.template?.spec.containers ?? []) : []));
  const container = containers.find((one) => one.name === containerNames[name]);
  if (!container) throw new Error(`the chart has no container ${containerNames[name]}`);
  const values = (container.env ?? []).flatMap(({ name: key, value }) => (value ? [[key, value] as const] : []));
  return {
    nodeArguments: nodeArguments(),
    env: Object.fromEntries(values),
    memoryLimit: container.resources.limits.memory,
  };
}

/** Bytes of a Kubernetes quantity such as 512Mi. */
function bytesOf(quantity: string): number {
  const [, count = '', unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(count) * 1024 ** (unit === 'Gi' ? 3 : 2);
}

export interface PodOptions {
  /** what the process is told besides, or instead */
  readonly settings?: object;
  /** the container's memory limit in bytes; the chart's when absent */
  readonly limitBytes?: number | undefined;
}

const identityInPod = '/run/secrets/kubernetes.io/serviceaccount';
/** Beside a Pod's credentials, as their path is the same in every cluster: a leader follows another one of equal configuration. */
const edgeRoot = 'edge-ca.crt';

/** Where a Pod's credentials are, in a file system of its own, and its memory limit: in the shell, before the process. */
const enter = `
mount -t tmpfs tmpfs /run
mkdir -p ${identityInPod}
mount --bind "$1" ${identityInPod}
echo $$ > "$2/cgroup.procs"
shift 2
exec "$@"
`;

/**
 * Starts one of our processes as it runs in a Pod: the ServiceAccount's token and ca.crt in their folder, the kube-apiserver from
 * the environment, the container's environment and memory limit, and the processor that is ours. Does not wait until it is ready.
 */
export async function startInPod(name: OurName, cluster: ScaleCluster, options: PodOptions = {}): Promise<OurPart> {
  const { around, controlPlane, context } = cluster;
  const { dir, corner, tools } = around;
  const shipped = await shippedContainer(name, tools.helm);
  const identity = join(dir, `${name}-identity`);
  mkdirSync(identity, { recursive: true });
  writeFileSync(join(identity, 'token'), await tokenOf(name, around));
  copyFileSync(controlPlane.caFile, join(identity, 'ca.crt'));
  copyFileSync(context.acmeRoot, join(identity, edgeRoot));
  const configFile = join(dir, `${name}.json`);
  const inPod = { ...context, acmeRoot: `${identityInPod}/${edgeRoot}` };
  const config = { ...(await settingsOf(name, inPod)), kubeconfig: null, ...options.settings };
  writeFileSync(configFile, JSON.stringify(config, null, 2));
  const group = memoryGroup(`${name}-${process.pid}`, options.limitBytes ?? bytesOf(shipped.memoryLimit));
  const program = programInImage(name, dir);
  const node = [...onOurProcessor, process.execPath, ...shipped.nodeArguments, program, '--config', configFile];
  const server = new URL(controlPlane.server);
  const started = await startPart({
    name,
    program: 'unshare',
    dir,
    args: ['--mount', '--propagation', 'private', '/bin/sh', '-euc', enter, 'sh', identity, group, ...node],
    env: {
      ...imageEnvironment(),
      ...shipped.env,
      POD_IPS: corner.address,
      KUBERNETES_SERVICE_HOST: server.hostname,
      KUBERNETES_SERVICE_PORT: server.port,
    },
  });
  const part = {
    ...started,
    async stop() {
      await started.stop();
      if (existsSync(group)) rmdirSync(group);
    },
  };
  return { part, metricsUrl: metricsUrlOf(name, around) };
}

/** A control group with this limit of memory; its folder. */
function memoryGroup(name: string, limitBytes: number): string {
  const root = '/sys/fs/cgroup';
  const isFirst = readdirSync(root).includes('memory');
  const folder = join(root, isFirst ? 'memory' : '', `projectdomain-${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, isFirst ? 'memory.limit_in_bytes' : 'memory.max'), String(limitBytes));
  return folder;
}
