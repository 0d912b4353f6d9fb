import type { Server as TcpServer } from 'node:net';
import { connect, createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApi } from './api.ts';
import { createSolvers } from './solvers.ts';

/**
 * Plays what a kubelet and kube-proxy would bring to cluster IPs: cert-manager's HTTP-01 solver Pods answer on their
 * Service's, and each account's redirect Service leads to the redirector's Pods by its EndpointSlices, as does the redirector's own.
 * Usage: emulator-main.ts KUBECONFIG POD_ADDRESSES, the latter as in pod-addresses.ts. Looks at the cluster every quarter of a second; a fault only delays a look.
 */

interface Service {
  readonly metadata: { readonly uid: string; readonly name: string; readonly namespace: string };
  readonly spec: { readonly clusterIP?: string; readonly ports: readonly { readonly port: number }[] };
}

interface EndpointSlice {
  readonly metadata: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> };
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
  }[];
  readonly ports?: readonly { readonly port: number }[];
}

/** each account's, and the redirector's own */
const names = ['projectdomain-redirect', 'projectdomain-redirector'];
const redirects = names.map((name) => encodeURIComponent(`metadata.name=${name}`));
const serviceName = 'kubernetes.io/service-name';
const ofRedirects = encodeURIComponent(`${serviceName} in (${names.join(',')})`);
const pauseMs = 250;

const [kubeconfig = '', podAddresses = '{}'] = process.argv.slice(2);
const processOf = new Map(Object.entries(JSON.parse(podAddresses) as Record<string, string>));
const api = createApi(kubeconfig);
const lookForSolvers = createSolvers(api, null);
const leading = new Map<string, TcpServer>();
/** where the ready Pods of each Service listen, by NAMESPACE/NAME */
let ready = new Map<string, readonly string[]>();
let connections = 0;

for (;;) {
  await lookForSolvers().catch((error: unknown) => console.error(String(error)));
  await lookForRedirects().catch((error: unknown) => console.error(String(error)));
  await sleep(pauseMs);
}

async function lookForRedirects(): Promise<void> {
  const lists = await Promise.all(
    redirects.map((name) => api.get<{ items: readonly Service[] }>(`/api/v1/services?fieldSelector=${name}`)),
  );
  const items = lists.flatMap((list) => list.items);
  const slices = await api.get<{ items: readonly EndpointSlice[] }>(
    `/apis/discovery.k8s.io/v1/endpointslices?labelSelector=${ofRedirects}`,
  );
  ready = readyIn(slices.items);
  const wanted = new Set(items.map(({ metadata }) => metadata.uid));
  for (const [uid, server] of leading) {
    if (wanted.has(uid)) continue;
    leading.delete(uid);
    server.close();
  }
  for (const service of items) if (!leading.has(service.metadata.uid)) lead(service);
}

function serviceOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

function readyIn(slices: readonly EndpointSlice[]): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { metadata, endpoints = [], ports = [] } of slices) {
    const service = serviceOf({ namespace: metadata.namespace, name: metadata.labels[serviceName] ?? '' });
    const listening = endpoints
      .filter(({ conditions }) => conditions?.ready !== false)
      .flatMap(({ addresses }) => addresses)
      .flatMap((address) => processOf.get(`${address}:${ports[0]?.port}`) ?? []);
    found.set(service, [...(found.get(service) ?? []), ...listening]);
  }
  return found;
}

/** Every connection to the Service goes to one of its ready Pods in turn, byte for byte. */
function lead({ metadata, spec }: Service): void {
  const server = createTcpServer((client) => {
    const pods = ready.get(serviceOf(metadata)) ?? [];
    connections += 1;
    const [host, port] = pods[connections % pods.length]?.split(':') ?? [];
    if (host === undefined) return void client.destroy();
    const upstream = connect({ host, port: Number(port) });
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
