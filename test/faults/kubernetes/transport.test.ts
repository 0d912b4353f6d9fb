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
