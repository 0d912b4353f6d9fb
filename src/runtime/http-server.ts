import type { Server } from 'node:http';
import { listen } from './listen.ts';

const drainWithinMs = 10_000;

/** Listens at a listen address; resolves to what stops it: no new connection, what is under way is finished, within bounds. */
export async function serveUntil(server: Server, address: string): Promise<() => Promise<void>> {
  await listen(server, address);
  return () =>
    new Promise<void>((done) => {
      const timer = setTimeout(() => server.closeAllConnections(), drainWithinMs);
      server.close(() => {
        clearTimeout(timer);
        done();
      });
    });
}
