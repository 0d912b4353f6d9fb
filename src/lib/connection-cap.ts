import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps a server at so many connections: a new one ends the one that has been without a request for longest, so whoever
 * only holds connections ends its own, and an ingress that uses what it holds is not noticed. Call it before requests
 * are listened for.
 */
export function capConnections(server: Server, atMost: number): void {
  /** Those without a request, longest first. */
  const resting = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    resting.add(socket);
    socket.once('close', () => {
      open -= 1;
      resting.delete(socket);
    });
    if (open <= atMost) return;
    const [longest = socket] = resting;
    longest.destroy();
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    resting.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) resting.add(socket);
    });
  });
}
