import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { TransportError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { createTransport, withDeadline } from '../../../src/kubernetes/transport.ts';

/** An API server that takes every connection and answers none, as one does that is frozen. */

let server: Server;
let sockets: Socket[];
let transport: Transport;

beforeEach(async () => {
  sockets = [];
  server = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  transport = createTransport({
    server: `http://127.0.0.1:${port}`,
    tls: {},
    authorization: () => Promise.resolve(null),
  });
});

afterEach(async () => {
  await transport.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

it('a call with a deadline of its own is given up then, long before the thirty seconds that others have', async () => {
  const call = withDeadline(transport, 200).call({ method: 'GET', path: '/version' });
  await expect(call).rejects.toBeInstanceOf(TransportError);
  expect(sockets).toHaveLength(1);
}, 10_000);

it.each<[string, string]>([
  ['without a path', ''],
  ['with a path, as a proxy has that serves several clusters', '/k8s/clusters/c-1'],
  ['with a path and a trailing slash', '/k8s/clusters/c-1/'],
])(
  'a server %s is asked below it, by calls and watches',
  async (_, path) => {
    const asked: (string | undefined)[] = [];
    const answering = createHttpServer(({ url }, response) => {
      asked.push(url);
      response.end('{}');
    });
    await new Promise<void>((resolve) => answering.listen(0, '127.0.0.1', resolve));
    const { port } = answering.address() as AddressInfo;
    const below = createTransport({
      server: `http://127.0.0.1:${port}${path}`,
      tls: {},
      authorization: () => Promise.resolve(null),
    });
    try {
      await below.call({ method: 'GET', path: '/api/v1/namespaces?limit=1' });
      await below.stream('/api/v1/pods?watch=1', AbortSignal.timeout(5_000));
    } finally {
      await below.close();
      answering.close();
    }
    const prefix = path.replace(/\/$/, '');
    expect(asked).toEqual([`${prefix}/api/v1/namespaces?limit=1`, `${prefix}/api/v1/pods?watch=1`]);
  },
  10_000,
);
