import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Corner } from './address.ts';
import type { Kubectl } from './kubectl.ts';
import { createPki } from './pki.ts';
import type { Part, RestartablePart } from './process.ts';
import { startPart, startRestartable } from './process.ts';
import type { Tools } from './tools.ts';
import { moduleFolder } from './tools.ts';

/** What the parts around the control plane have in common. */
export interface Around {
  readonly dir: string;
  readonly tools: Tools;
  readonly corner: Corner;
  readonly kubeconfig: string;
  readonly kubectl: Kubectl;
}

const ports = { pebble: 14_000, pebbleManagement: 15_000, redis: 6_379, traefikPing: 8_099 };

/** The CAA issuer domain that Pebble accepts for itself. */
export const caDomain = 'pebble.projectdomain.test';
export const ingressClass = 'traefik';
export const issuerName = 'pebble';
/** Who orders: cert-manager, or our operator. */
export type IssuerKind = 'ClusterIssuer' | 'AcmeIssuer';

export interface AcmeAuthority {
  readonly part: Part;
  readonly directory: string;
  /** root of the chains it issues, for clients to trust */
  readonly rootFile: string;
  /** PEM that vouches for Pebble's own HTTPS */
  readonly caFile: string;
  /** URL of its own interface, which says what became of each certificate */
  readonly management: string;
}

export interface PebbleOptions {
  /** of its configuration file, beside or instead of ours */
  readonly config?: object;
  readonly env?: Readonly<Record<string, string>>;
  /** ADDR:PORT of the resolver that it asks; our DNS when absent */
  readonly resolver?: string | undefined;
}

/** Pebble, an ACME server for tests: validates over port 80 at addresses that our DNS gives. */
export async function startPebble(
  { dir, tools, corner }: Pick<Around, 'dir' | 'tools' | 'corner'>,
  options: PebbleOptions = {},
): Promise<AcmeAuthority> {
  const folder = join(dir, 'pebble');
  mkdirSync(folder, { recursive: true });
  const pki = createPki(join(folder, 'pki'));
  const { certFile, keyFile } = pki.issue('pebble', {
    commonName: 'pebble',
    san: `IP:${corner.address},DNS:localhost`,
  });
  const config = {
    pebble: {
      listenAddress: `${corner.address}:${ports.pebble}`,
      managementListenAddress: `${corner.address}:${ports.pebbleManagement}`,
      certificate: certFile,
      privateKey: keyFile,
      httpPort: 80,
      tlsPort: 443,
      ocspResponderURL: '',
      externalAccountBindingRequired: false,
      caaIdentities: [caDomain],
      // A name that the authority refuses whatever is proven: how a failed issuance comes about.
      domainBlocklist: ['refused.example'],
      retryAfter: { authz: 1, order: 1 },
      ...options.config,
    },
  };
  const configFile = join(folder, 'config.json');
  writeFileSync(configFile, JSON.stringify(config));
  const ca = readFileSync(pki.caFile, 'utf8');
  const management = `https://${corner.address}:${ports.pebbleManagement}`;
  const part = await startPart({
    name: 'pebble',
    program: tools.pebble,
    dir,
    args: ['-config', configFile, '-dnsserver', options.resolver ?? `${corner.address}:53`, '-strict=false'],
    env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0', ...options.env },
    ready: async () => (await pebbleRoot({ management, ca }, 0)).includes('BEGIN CERTIFICATE'),
  });
  const rootFile = join(dir, 'acme-root.pem');
  writeFileSync(rootFile, await pebbleRoot({ management, ca }, 0));
  return { part, directory: `https://${corner.address}:${ports.pebble}/dir`, rootFile, caFile: pki.caFile, management };
}

/** One of its roots, the first of which is above the chains of its own choice, as PEM. `ca` is PEM too. */
export function pebbleRoot({ management, ca }: { management: string; ca: string }, number: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const ask = request(`${management}/roots/${number}`, { ca, agent: false, timeout: 2_000 }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(text));
    });
    ask.on('timeout', () => ask.destroy(new Error('timeout')));
    ask.on('error', reject);
    ask.end();
  });
}

/** cert-manager's definitions and its namespace. */
export async function installCertManagerKinds(kubectl: Kubectl): Promise<void> {
  const source = await moduleFolder('cert-manager', 'github.com/cert-manager/cert-manager');
  await kubectl.run(['apply', '--server-side', '-f', join(source, 'deploy/crds')]);
  await kubectl.untilEstablished();
  await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'cert-manager' } });
}

/** The kinds of Gateway API's standard channel. */
export async function installGatewayKinds(kubectl: Kubectl): Promise<void> {
  const source = await moduleFolder('gateway-api', 'sigs.k8s.io/gateway-api');
  await kubectl.run(['apply', '--server-side', '-f', join(source, 'config/crd/standard')]);
  await kubectl.untilEstablished();
}

/** cert-manager; issues nothing until an issuer is there. */
export async function startCertManager({ dir, tools, corner, kubeconfig, kubectl }: Around): Promise<Part> {
  await installCertManagerKinds(kubectl);
  return startPart({
    name: 'cert-manager',
    program: tools['cert-manager'],
    dir,
    args: [`-kubeconfig=${kubeconfig}`, `-http01-nameservers=${corner.address}:53`, '-order-requeue-period=500ms'],
  });
}

/** Our issuer for customers' certificates; ready once the operator has registered its account. */
export async function createAcmeIssuer(
  kubectl: Kubectl,
  { directory, caFile }: Pick<AcmeAuthority, 'directory' | 'caFile'>,
): Promise<void> {
  await kubectl.apply({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'AcmeIssuer',
    metadata: { name: issuerName },
    spec: {
      accounts: [
        {
          name: 'pebble',
          server: directory,
          keySecret: 'projectdomain-acme-account',
          caBundle: readFileSync(caFile).toString('base64'),
        },
      ],
    },
  });
}

/** cert-manager's issuer for customers' certificates: HTTP-01 through the ingress. */
export async function createIssuer(kubectl: Kubectl, { directory, caFile }: AcmeAuthority): Promise<void> {
  const acme = {
    server: directory,
    caBundle: readFileSync(caFile).toString('base64'),
    privateKeySecretRef: { name: `${issuerName}-account` },
    solvers: [{ http01: { ingress: { ingressClassName: ingressClass, serviceType: 'ClusterIP' } } }],
  };
  await kubectl.apply({
    apiVersion: 'cert-manager.io/v1',
    kind: 'ClusterIssuer',
    metadata: { name: issuerName },
    spec: { acme },
  });
  await kubectl.run(['wait', '--for=condition=Ready', 'clusterissuer', issuerName, '--timeout=120s']);
}

export async function createIngressClass(
  kubectl: Kubectl,
  controller = 'traefik.io/ingress-controller',
  name: string = ingressClass,
): Promise<void> {
  await kubectl.apply({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name },
    spec: { controller },
  });
}

/** How an edge serves hostnames, as the operator's configuration has it. */
export type ClassRouting =
  | {
      readonly kind: 'Ingress';
      readonly className: string;
      /** which controller it is, as the chart calls it */
      readonly controller: string;
    }
  | {
      readonly kind: 'Gateway';
      readonly namespace: string;
      readonly name: string;
      readonly controller: string;
      /** where the listeners of hostnames are, if that is said */
      readonly listeners?: string;
    };

/** An edge that runs: as a part, the process that answers visitors. Its `stop` stops all of its processes. */
export interface StartedEdge extends Part {
  /** each of its processes: what reads the cluster first, what answers visitors last */
  readonly processes: readonly RestartablePart[];
}

export interface EdgeOptions {
  /** nobody else listens on its ports at any address of this machine, so it may listen at all of them */
  readonly isAlone?: boolean;
}

/** What serves hostnames on ports 80 and 443. */
export interface Edge {
  /** started, it answers there */
  readonly start: (around: Around, options?: EdgeOptions) => Promise<StartedEdge>;
  readonly routing: ClassRouting;
}

/** An edge of these processes; they are stopped in the opposite order, then the steps of `undo` are done. */
export function startedEdge(
  processes: readonly [...RestartablePart[], RestartablePart],
  undo: () => Promise<void> = () => Promise.resolve(),
): StartedEdge {
  const last = processes.at(-1) as RestartablePart;
  return {
    name: last.name,
    get pid() {
      return last.pid;
    },
    exitStatus: () => last.exitStatus(),
    signal: (signal) => last.signal(signal),
    async stop() {
      for (const one of processes.toReversed()) await one.stop();
      await undo();
    },
    processes,
  };
}

/**
 * Traefik on ports 80 and 443; sends to cluster IPs, and redirects nothing on port 80 unless `more` says so. It builds all of its routes anew
 * after every change, but at most once in `throttle`.
 */
export async function startTraefik(
  around: Around,
  more: readonly string[] = [],
  throttle = '100ms',
): Promise<StartedEdge> {
  await createIngressClass(around.kubectl);
  return runTraefik(around, [
    `--providers.providersthrottleduration=${throttle}`,
    '--providers.kubernetesingress=true',
    `--providers.kubernetesingress.ingressclass=${ingressClass}`,
    '--providers.kubernetesingress.nativelbbydefault=true',
    `--providers.kubernetesingress.throttleduration=${throttle}`,
    ...more,
  ]);
}

/** Traefik on ports 80 and 443, with what these arguments say of where its routes come from. */
export async function runTraefik(
  { dir, tools, corner, kubeconfig }: Around,
  routes: readonly string[],
): Promise<StartedEdge> {
  const part = await startRestartable({
    name: 'traefik',
    program: tools.traefik,
    dir,
    args: [
      '--global.checknewversion=false',
      '--global.sendanonymoususage=false',
      `--entrypoints.web.address=${corner.address}:80`,
      `--entrypoints.websecure.address=${corner.address}:443`,
      `--entrypoints.ping.address=${corner.address}:${ports.traefikPing}`,
      '--entrypoints.websecure.http.tls=true',
      '--ping=true',
      '--ping.entrypoint=ping',
      '--log.level=INFO',
      ...routes,
    ],
    env: { KUBECONFIG: kubeconfig },
    ready: async () =>
      (await fetch(`http://${corner.address}:${ports.traefikPing}/ping`, { signal: AbortSignal.timeout(1_000) })).ok,
  });
  return startedEdge([part]);
}

/** Redis in memory alone. */
export async function startRedis({ dir, tools, corner }: Around): Promise<{ part: Part; url: string }> {
  const part = await startPart({
    name: 'redis',
    program: tools['redis-server'],
    dir,
    args: ['--bind', corner.address, '--port', String(ports.redis), '--save', '', '--appendonly', 'no', '--dir', dir],
    ready: () => canConnect(corner.address, ports.redis),
  });
  return { part, url: `redis://${corner.address}:${ports.redis}` };
}

/** True where something listens. */
export function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => end(true));
    socket.on('timeout', () => end(false));
    socket.on('error', () => end(false));
  });
}

const traefikRouting: ClassRouting = {
  kind: 'Ingress',
  className: ingressClass,
  controller: 'Traefik',
};

/** Traefik as most people run it. */
export const traefikEdge: Edge = Object.freeze({
  start: (around: Around) => startTraefik(around),
  routing: traefikRouting,
});
