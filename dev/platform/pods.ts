import type { Server } from 'node:net';
import { connect, createServer } from 'node:net';
import { outputOf } from '../lib/output.ts';
import { podAddressOf } from './address.ts';
import { podAddresses } from './ours.ts';
import type { Around } from './services.ts';

/**
 * For an edge that sends to Pods themselves: their addresses are this machine's until the result is called, and those of the redirector's lead
 * to its processes. Customers' web servers listen at theirs (tenant.ts). Root needed. Another platform's Pods have other addresses.
 */
export async function reachPods({ corner }: Around): Promise<() => Promise<void>> {
  // An edge at another address of the platform has the platform's Pods.
  const { controlAddress: address, serviceRange } = corner;
  const ranges = [podAddressOf(address).replace(/\d+$/, '0/24'), podAddressOf(serviceRange)];
  for (const range of ranges) await outputOf('ip', ['route', 'replace', 'local', range, 'dev', 'lo']);
  const relays = await Promise.all(
    Object.entries(podAddresses({ address })).map(([pod, process]) => relay(pod, process)),
  );
  return async () => {
    for (const server of relays) server.close();
    for (const range of ranges) await outputOf('ip', ['route', 'delete', 'local', range, 'dev', 'lo']);
  };
}

/** Both as ADDR:PORT. */
function relay(from: string, to: string): Promise<Server> {
  const [[address, port], [host, hostPort]] = [from.split(':'), to.split(':')];
  const server = createServer((client) => {
    const upstream = connect({ host, port: Number(hostPort) });
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  return new Promise((done, fail) => server.once('error', fail).listen(Number(port), address, () => done(server)));
}
