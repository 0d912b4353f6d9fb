import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { Server as TcpServer } from 'node:net';
import { connect, createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readApi } from './api.ts';

/**
 * Plays what a kubelet and kube-proxy would bring to cluster IPs: cert-manager's HTTP-01 solver Pods answer on their
 * Service's, and each account's redirect Service leads to the redirector, as does the redirector's own.
 * Usage: emulator-main.ts KUBECONFIG REDIRECTOR. Looks at the cluster every quarter of a second; a fault only delays a look.
 */

interface Labelled {
  readonly metadata: {
    readonly uid: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

interface Pod extends Labelled {
  readonly spec: { readonly containers: readonly { readonly args?: readonly string[] }[] };
}

interface Service extends Labelled {
  readonly spec: {
    readonly clusterIP?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports: readonly { readonly port: number }[];
  };
}

const selector = encodeURIComponent('acme.cert-manager.io/http01-solver=true');
/** each account's, and the redirector's own */
const redirects = ['projectdomain-redirect', 'projectdomain-redirector'].map((name) =>
  encodeURIComponent(`metadata.name=${name}`),
);
const pauseMs = 250;

const [kubeconfig = '', redirector = ''] = process.argv.slice(2);
const read = readApi(kubeconfig);
const playing = new Map<string, Server>();
const leading = new Map<string, TcpServer>();

for (;;) {
  await lookForSolvers().catch((error: unknown) => console.error(String(error)));
  await lookForRedirects().catch((error: unknown) => console.error(String(error)));
  await sleep(pauseMs);
}

async function lookForRedirects(): Promise<void> {
  const lists = await Promise.all(
    redirects.map((name) => read<{ items: readonly Service[] }>(`/api/v1/services?fieldSelector=${name}`)),
  );
  const items = lists.flatMap((list) => list.items);
  const wanted = new Set(items.map(({ metadata }) => metadata.uid));
  for (const [uid, server] of leading) {
    if (wanted.has(uid)) continue;
    leading.delete(uid);
    server.close();
  }
  for (const service of items) if (!leading.has(service.metadata.uid)) lead(service);
}

/** Every connection to the Service goes to the redirector, byte for byte. */
function lead({ metadata, spec }: Service): void {
  const [host, port] = redirector.split(':');
  const server = createTcpServer((client) => {
    const upstream = connect({ host: host ?? '', port: Number(port) });
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  server.on('error', (error) => {
    console.error(String(error));
    leading.delete(metadata.uid);
  });
  server.listen(spec.ports[0]?.port, spec.clusterIP);
  leading.set(metadata.uid, server);
}

interface Solver {
  /** cert-manager may replace the Service of a Pod that goes on: another address */
  readonly id: string;
  readonly pod: Pod;
  readonly service: Service;
}

async function lookForSolvers(): Promise<void> {
  const [pods, services] = await Promise.all([
    read<{ items: readonly Pod[] }>(`/api/v1/pods?labelSelector=${selector}`),
    read<{ items: readonly Service[] }>(`/api/v1/services?labelSelector=${selector}`),
  ]);
  const wanted = pods.items.flatMap((pod) =>
    services.items
      .filter((service) => selects(service, pod))
      .map((service) => ({ id: `${pod.metadata.uid} ${service.metadata.uid}`, pod, service })),
  );
  for (const [id, server] of playing) if (!wanted.some((solver) => solver.id === id)) stop(id, server);
  for (const solver of wanted) if (!playing.has(solver.id)) play(solver);
}

function selects({ metadata, spec }: Service, pod: Pod): boolean {
  const wanted = Object.entries(spec.selector ?? {});
  return (
    metadata.namespace === pod.metadata.namespace &&
    wanted.length > 0 &&
    wanted.every(([name, value]) => pod.metadata.labels?.[name] === value)
  );
}

function stop(id: string, server: Server): void {
  playing.delete(id);
  server.closeAllConnections();
  server.close();
}

function play({ id, pod, service }: Solver): void {
  const value = (option: string) =>
    pod.spec.containers[0]?.args?.find((text) => text.startsWith(`--${option}=`))?.slice(option.length + 3) ?? '';
  const path = `/.well-known/acme-challenge/${value('token')}`;
  const server = createServer((request, response) => {
    const found = request.url === path && (request.headers.host ?? '').split(':')[0] === value('domain');
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/plain' }).end(found ? value('key') : '');
  });
  server.on('error', (error) => {
    console.error(String(error));
    playing.delete(id);
  });
  server.listen(service.spec.ports[0]?.port ?? 8089, service.spec.clusterIP);
  playing.set(id, server);
}
