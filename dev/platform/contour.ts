import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf } from '../lib/output.ts';
import { findEnvoy } from './envoy.ts';
import type { Kubectl } from './kubectl.ts';
import { reachPods } from './pods.ts';
import type { RestartablePart } from './process.ts';
import { startRestartable } from './process.ts';
import type { Around, ClassRouting, Edge, StartedEdge } from './services.ts';
import { createIngressClass, startedEdge } from './services.ts';
import { findTool, moduleFolder } from './tools.ts';

const routing = {
  kind: 'Ingress',
  className: 'contour',
  controller: 'Contour',
} as const satisfies ClassRouting;

/** Its own defaults, but at the platform's address. */
const ports = { xds: 8_001, health: 8_000, stats: 8_002, debug: 6_060 };

/** By what Contour serves. */
interface ContourOptions {
  /** its configuration, as docs/edges.md has it */
  readonly configuration: object;
  /** further arguments of it */
  readonly args: readonly string[];
  /** what has to be in the cluster before it starts */
  readonly install: (kubectl: Kubectl) => Promise<void>;
  /** where Envoy listens, if not at the address of the platform; `reach` leads ports 80 and 443 of that to it */
  readonly envoyAddress?: (address: string) => string;
  /** Called before Contour starts, and its result once it has stopped. */
  readonly reach?: (address: string) => Promise<() => Promise<void>>;
}

/** Contour on ports 80 and 443, with the Envoy that it configures. It sends to Pods themselves. Root needed. */
export async function startContour(around: Around, options: ContourOptions): Promise<StartedEdge> {
  const { dir, corner, kubectl } = around;
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  const [program, envoyProgram] = [await findTool('contour', progress), await findEnvoy(progress)];
  await installKinds(kubectl);
  await options.install(kubectl);
  const folder = join(dir, 'contour');
  mkdirSync(folder, { recursive: true });
  const bootstrap = join(folder, 'envoy.json');
  await outputOf(program, [
    'bootstrap',
    bootstrap,
    `--admin-address=${join(folder, 'admin.sock')}`,
    `--xds-address=${corner.address}`,
    `--xds-port=${ports.xds}`,
  ]);
  const undo = [await reachPods(around)];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    if (options.reach) undo.push(await options.reach(corner.address));
    const controller = await startController(around, program, options);
    undo.push(() => controller.stop());
    const envoy = await startRestartable({
      name: 'envoy',
      program: envoyProgram,
      dir,
      args: ['--config-path', bootstrap, ...['--service-cluster', 'contour', '--service-node', 'envoy'], ...quietly],
      ready: () => isOk(`http://${corner.address}:${ports.stats}/ready`),
    });
    return startedEdge([controller, envoy], stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

const quietly = ['--disable-hot-restart', '--log-level', 'warning'];

const isOk = async (url: string): Promise<boolean> => (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;

/** The kinds of its own that it watches. */
async function installKinds(kubectl: Kubectl): Promise<void> {
  const source = await moduleFolder('contour', 'github.com/projectcontour/contour');
  await kubectl.run(['apply', '--server-side', '-f', join(source, 'examples/contour/01-crds.yaml')]);
  await kubectl.untilEstablished();
}

function startController(
  { dir, corner: { address }, kubeconfig }: Around,
  program: string,
  { configuration, args, envoyAddress = (given) => given }: ContourOptions,
): Promise<RestartablePart> {
  const configFile = join(dir, 'contour', 'contour.json');
  writeFileSync(configFile, JSON.stringify(configuration));
  return startRestartable({
    name: 'contour',
    program,
    dir,
    args: [
      'serve',
      `--config-path=${configFile}`,
      `--kubeconfig=${kubeconfig}`,
      '--disable-leader-election',
      // Envoy's certificates pass between two processes of this machine.
      '--insecure',
      `--xds-address=${address}`,
      `--xds-port=${ports.xds}`,
      `--health-address=${address}`,
      `--health-port=${ports.health}`,
      `--http-address=${address}`,
      `--http-port=${ports.health}`,
      `--debug-http-address=${address}`,
      `--debug-http-port=${ports.debug}`,
      `--stats-address=${address}`,
      `--stats-port=${ports.stats}`,
      `--envoy-service-http-address=${envoyAddress(address)}`,
      `--envoy-service-https-address=${envoyAddress(address)}`,
      `--ingress-status-address=${address}`,
      ...args,
      '--envoy-http-access-log=/dev/null',
      '--envoy-https-access-log=/dev/null',
    ],
    ready: () => isOk(`http://${address}:${ports.health}/healthz`),
  });
}

/** Ingress by Contour. */
export const contourEdge: Edge = Object.freeze({
  start: (around: Around) =>
    startContour(around, {
      configuration: { disableMergeSlashes: true },
      args: [
        `--ingress-class-name=${routing.className}`,
        '--envoy-service-http-port=80',
        '--envoy-service-https-port=443',
      ],
      install: (kubectl) => createIngressClass(kubectl, 'projectcontour.io/ingress-controller', routing.className),
    }),
  routing,
});
