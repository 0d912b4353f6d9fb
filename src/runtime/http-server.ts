import type { Server } from 'node:http';

const drainWithinMs = 10_000;

/** Listens on ADDR:PORT; resolves to what stops it: no new connection, what is under way is finished, within bounds. */
export async function serveUntil(server: Server, address: string): Promise<() => Promise<void>> {
  const at = address.lastIndexOf(':');
  await new Promise<void>((done, fail) =>
    server.once('error', fail).listen(Number(address.slice(at + 1)), address.slice(0, at), done),
  );
  return () =>
    new Promise<void>((done) => {
      const timer = setTimeout(() => server.closeAllConnections(), drainWithinMs);
      server.close(() => {
        clearTimeout(timer);
        done();
      });
    });
}
