import type { Server } from 'node:net';
import { connect, createServer } from 'node:net';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { redirectorAddress, redirectorPodAddresses } from '../../dev/platform/ours.ts';
import { startPart } from '../../dev/platform/process.ts';
import type { Around, Edge } from '../../dev/platform/services.ts';
import { canConnect, createIngressClass, ingressClass, startTraefik } from '../../dev/platform/services.ts';
import { tenantPodAddress } from '../../dev/platform/tenant.ts';

/** An ingress controller that redirects visitors from http to https. */
export interface RedirectingController {
  readonly name: string;
  readonly start: Edge['start'];
}

const traefik: RedirectingController = {
  name: 'Traefik, whose entry point redirects every path',
  start: (around) =>
    startTraefik(around, [
      '--entrypoints.web.http.redirections.entrypoint.to=websecure',
      '--entrypoints.web.http.redirections.entrypoint.scheme=https',
      '--entrypoints.web.http.redirections.entrypoint.permanent=true',
    ]),
};

const programs = { controller: 'haproxy-ingress-controller', haproxy: 'haproxy' } as const;

/** Where PROJECTDOMAIN_TOOLS has both; null elsewhere, as no build of ours brings the controller. */
function haproxyPrograms(): Readonly<Record<keyof typeof programs, string>> | null {
  const folder = process.env.PROJECTDOMAIN_TOOLS ?? '';
  const [controller, haproxy] = [join(folder, programs.controller), join(folder, programs.haproxy)];
  return existsSync(controller) && existsSync(haproxy) ? { controller, haproxy } : null;
}

const settings = { name: 'haproxy-kubernetes-ingress', namespace: 'default' } as const;

/** HAProxy Technologies' controller: it redirects each hostname that has a certificate, and sends to Pods themselves. */
async function startHaproxy(around: Around, { controller, haproxy }: NonNullable<ReturnType<typeof haproxyPrograms>>) {
  const { dir, corner, kubeconfig, kubectl } = around;
  await createIngressClass(kubectl, `haproxy.org/ingress-controller/${ingressClass}`);
  await kubectl.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: settings,
    // A redirect names port 8443 unless it is told otherwise.
    data: { 'ssl-redirect-port': '443' },
  });
  const folders = ['etc', 'run'].map((name) => join(dir, 'haproxy', name));
  folders.forEach((folder) => mkdirSync(folder, { recursive: true }));
  const [etc, run] = folders;
  const relays = await playPods(around);
  const part = await startPart({
    name: 'haproxy-ingress-controller',
    program: controller,
    dir,
    args: [
      '--external',
      `--kubeconfig=${kubeconfig}`,
      `--program=${haproxy}`,
      `--config-dir=${etc}`,
      `--runtime-dir=${run}`,
      `--ingress.class=${ingressClass}`,
      `--configmap=${settings.namespace}/${settings.name}`,
      `--ipv4-bind-address=${corner.address}`,
      '--http-bind-port=80',
      '--https-bind-port=443',
      '--disable-ipv6',
      '--disable-quic',
      '--sync-period=500ms',
    ],
    ready: () => canConnect(corner.address, 80),
  });
  const stop = async () => {
    await part.stop();
    relays.forEach((relay) => relay.close());
  };
  return { ...part, stop };
}

/** The port of every Pod that a platform knows of. */
const podPort = 8_080;

/** Their addresses have to be this machine's: a controller that sends to Pods themselves finds there what kube-proxy would lead it to. */
async function playPods(around: Around): Promise<readonly Server[]> {
  const [redirectorHost = '', redirectorPort = ''] = redirectorAddress(around).split(':');
  return Promise.all([
    relay(redirectorPodAddresses(1)[0] ?? '', () =>
      Promise.resolve({ host: redirectorHost, port: Number(redirectorPort) }),
    ),
    relay(tenantPodAddress, async () => ({ host: await onlyTenant(around), port: podPort })),
  ]);
}

/** Address of the one Service of a customer's; platforms of these tests have one customer. */
async function onlyTenant({ kubectl }: Around): Promise<string> {
  const jsonpath = '{.items[?(@.metadata.name=="acme-web")].spec.clusterIP}';
  return (await kubectl.run(['get', 'services', '-A', `-o=jsonpath=${jsonpath}`])).trim();
}

function relay(address: string, destination: () => Promise<{ readonly host: string; readonly port: number }>) {
  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    void destination().then((found) => {
      const upstream = connect(found);
      client.pipe(upstream).pipe(client);
      client.on('error', () => upstream.destroy());
      upstream.on('error', () => client.destroy());
    });
  });
  return new Promise<Server>((done, fail) => server.once('error', fail).listen(podPort, address, () => done(server)));
}

/** Every controller that can be had here. */
export function redirectingControllers(): readonly RedirectingController[] {
  const found = haproxyPrograms();
  if (found === null) return [traefik];
  return [
    traefik,
    { name: 'HAProxy, which redirects hostnames with a certificate', start: (around) => startHaproxy(around, found) },
  ];
}
