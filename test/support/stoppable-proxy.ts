import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** Passes connections on to another port, TLS and all, or refuses them while it is closed. */
export interface StoppableProxy {
  readonly port: number;
  /** Ends every connection, and refuses new ones. */
  close(): Promise<void>;
  open(): Promise<void>;
}

/** Listens at `address`, where the port that it passes on to is, too. */
export async function startStoppableProxy(address: string, to: number): Promise<StoppableProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(to, address);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => void sockets.delete(socket));
    }
    client.on('close', () => upstream.destroy()).pipe(upstream);
    upstream.on('close', () => client.destroy()).pipe(client);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, address, resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    open: () => listen(port),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
