import type { RequestListener } from 'node:http';
import { createBoundedServer } from './bounded-server.ts';
import { messageOf } from './error-serializer.ts';
import { listen } from './http-server.ts';

/** What the health port serves: liveness, readiness with its reason, metrics as text. */
export interface Health {
  /** null when ready, else why not */
  readonly notReady: () => string | null;
  readonly metrics: () => Promise<string>;
}

/** Enough for a kubelet and a few metrics collectors. */
const limits = { connections: 100, headBytes: 16 * 1_024 };

/** Serves /livez, /readyz and /metrics at a listen address; resolves to the function that stops it. */
export async function serveHealth(address: string, health: Health): Promise<() => Promise<void>> {
  const handle: RequestListener = (request, response) => {
    const answer = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
    if (request.url === '/livez') return answer(200, 'ok\n');
    if (request.url === '/readyz') {
      const why = health.notReady();
      return why === null ? answer(200, 'ok\n') : answer(503, `${why}\n`);
    }
    if (request.url !== '/metrics') return answer(404, 'see /livez, /readyz and /metrics\n');
    health.metrics().then(
      (text) => answer(200, text),
      (error: unknown) => answer(500, `${messageOf(error)}\n`),
    );
  };
  const server = createBoundedServer({ handle, limits });
  await listen(server, address);
  return () =>
    new Promise<void>((done) => {
      server.closeAllConnections();
      server.close(() => done());
    });
}
