import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readApi } from './api.ts';

/**
 * Plays cert-manager's HTTP-01 solver Pods: what a solver container would answer is answered on its Service's cluster
 * IP. Usage: solver-main.ts KUBECONFIG. Looks at the cluster every quarter of a second; a fault only delays a look.
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
const pauseMs = 250;

const [kubeconfig = ''] = process.argv.slice(2);
const read = readApi(kubeconfig);
const playing = new Map<string, Server>();

for (;;) {
  await look().catch((error: unknown) => console.error(String(error)));
  await sleep(pauseMs);
}

async function look(): Promise<void> {
  const [pods, services] = await Promise.all([
    read<{ items: readonly Pod[] }>(`/api/v1/pods?labelSelector=${selector}`),
    read<{ items: readonly Service[] }>(`/api/v1/services?labelSelector=${selector}`),
  ]);
  const wanted = new Set(pods.items.map(({ metadata }) => metadata.uid));
  for (const [uid, server] of playing) if (!wanted.has(uid)) stop(uid, server);
  for (const pod of pods.items) {
    const service = services.items.find((candidate) => selects(candidate, pod));
    if (service && !playing.has(pod.metadata.uid)) play(pod, service);
  }
}

function selects({ metadata, spec }: Service, pod: Pod): boolean {
  const wanted = Object.entries(spec.selector ?? {});
  return (
    metadata.namespace === pod.metadata.namespace &&
    wanted.length > 0 &&
    wanted.every(([name, value]) => pod.metadata.labels?.[name] === value)
  );
}

function stop(uid: string, server: Server): void {
  playing.delete(uid);
  server.closeAllConnections();
  server.close();
}

function play(pod: Pod, service: Service): void {
  const value = (option: string) =>
    pod.spec.containers[0]?.args?.find((text) => text.startsWith(`--${option}=`))?.slice(option.length + 3) ?? '';
  const path = `/.well-known/acme-challenge/${value('token')}`;
  const server = createServer((request, response) => {
    const found = request.url === path && (request.headers.host ?? '').split(':')[0] === value('domain');
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/plain' }).end(found ? value('key') : '');
  });
  server.on('error', (error) => {
    console.error(String(error));
    playing.delete(pod.metadata.uid);
  });
  server.listen(service.spec.ports[0]?.port ?? 8089, service.spec.clusterIP);
  playing.set(pod.metadata.uid, server);
}
