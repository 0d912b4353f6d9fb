import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createRedirectServer } from '../../../src/redirector/redirects/redirect-server.ts';
import { serveHealth } from '../../../src/lib/health-server.ts';
import { serveUntil } from '../../../src/lib/http-server.ts';

/** Pods have addresses of either family or of both, and a kubelet asks at any of them. */

let stop: () => Promise<void>;

afterEach(() => stop());

/** Resolves to the port. */
async function serveAt(address: string): Promise<number> {
  const server = createRedirectServer({
    answer: () => ({ status: 301, headers: { location: 'https://to.example/' }, body: '' }),
    served: () => undefined,
    stopping: () => true,
  });
  stop = await serveUntil(server, address);
  return (server.address() as AddressInfo).port;
}

const statusAt = async (host: string, port: number) =>
  (await fetch(`http://${host}:${port}/`, { redirect: 'manual' })).status;

describe('a server that listens at', () => {
  it.each<[string, readonly string[]]>([
    [':0', ['127.0.0.1', '[::1]']],
    ['[::]:0', ['127.0.0.1', '[::1]']],
    ['[::1]:0', ['[::1]']],
    ['127.0.0.1:0', ['127.0.0.1']],
  ])('%s answers at %j', async (address, hosts) => {
    const port = await serveAt(address);
    for (const host of hosts) expect(await statusAt(host, port)).toBe(301);
  });

  it('an address of IPv6 says how it is', async () => {
    const port = 9_404 + Math.floor(Math.random() * 20_000);
    stop = await serveHealth(`[::1]:${port}`, { notReady: () => null, metrics: () => Promise.resolve('figures') });
    expect(await (await fetch(`http://[::1]:${port}/metrics`)).text()).toBe('figures');
  });
});
