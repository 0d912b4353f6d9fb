import type { Server } from 'node:http';
import { capConnections } from './connection-cap.ts';
import { listen } from './listen.ts';

/** An idle connection costs about 14 kB; the chart's least memory limit is 256 MiB. */
export const connectionsAtMost = 5_000;

const drainWithinMs = 10_000;

/** Listens at a listen address, to so many connections at once; resolves to what stops it: no new connection, what is under way is finished, within bounds. */
export async function serveUntil(server: Server, address: string): Promise<() => Promise<void>> {
  capConnections(server, connectionsAtMost);
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
