import type { Server as TcpServer } from 'node:net';
import { connect, createServer as createTcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readApi } from './api.ts';
import { createSolvers } from './solvers.ts';

/**
 * Plays what a kubelet and kube-proxy would bring to cluster IPs: cert-manager's HTTP-01 solver Pods answer on their
 * Service's, and each account's redirect Service leads to the redirector, as does the redirector's own.
 * Usage: emulator-main.ts KUBECONFIG REDIRECTOR. Looks at the cluster every quarter of a second; a fault only delays a look.
 */

interface Service {
  readonly metadata: { readonly uid: string };
  readonly spec: { readonly clusterIP?: string; readonly ports: readonly { readonly port: number }[] };
}

/** each account's, and the redirector's own */
const redirects = ['projectdomain-redirect', 'projectdomain-redirector'].map((name) =>
  encodeURIComponent(`metadata.name=${name}`),
);
const pauseMs = 250;

const [kubeconfig = '', redirector = ''] = process.argv.slice(2);
const read = readApi(kubeconfig);
const lookForSolvers = createSolvers(read, null);
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
