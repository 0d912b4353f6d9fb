import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the connections of a server: beyond the limit, a new connection closes the one that has been idle for
 * longest. A client that only holds connections thus closes its own, and an ingress that uses its connections is not
 * affected. Call it before the server listens.
 */
export function capConnections(server: Server, atMost: number): void {
  /** Connections without a request in progress, the longest idle first. */
  const idle = new Set<Socket>();
  /** Requests in progress by connection: a client may send several without waiting for the first answer. */
  const inProgress = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: 1 | -1): number => {
    const requests = (inProgress.get(socket) ?? 0) + change;
    inProgress.set(socket, requests);
    return requests;
  };
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    idle.add(socket);
    socket.once('close', () => {
      open -= 1;
      idle.delete(socket);
    });
    if (open <= atMost) return;
    const [longestIdle = socket] = idle;
    longestIdle.destroy();
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    count(socket, 1);
    response.once('close', () => {
      if (count(socket, -1) === 0 && !socket.destroyed) idle.add(socket);
    });
  });
}
