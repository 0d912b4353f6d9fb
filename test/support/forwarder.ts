import type { AddressInfo, Socket } from 'node:net';
import { createConnection, createServer } from 'node:net';

/** One address whose server changes, as a Service or a provider's name for the primary does. */
export interface Forwarder {
  readonly port: number;
  /** New connections go there; those that stand stay where they are. */
  leadTo(port: number): void;
  /** Ends every connection that stands. */
  cut(): void;
  close(): Promise<void>;
}

export async function createForwarder(first: number): Promise<Forwarder> {
  let target = first;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    const upstream = createConnection({ port: target, host: '127.0.0.1' });
    keep(client);
    keep(upstream);
    client.pipe(upstream).on('close', () => client.destroy());
    upstream.pipe(client).on('close', () => upstream.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (port) => void (target = port),
    cut: () => sockets.forEach((socket) => socket.destroy()),
    close() {
      sockets.forEach((socket) => socket.destroy());
      return new Promise((done) => server.close(() => done()));
    },
  };
}
