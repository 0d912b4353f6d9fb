import type { RequestListener } from 'node:http';
import { setImmediate } from 'node:timers/promises';
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

/**
 * Made after each question, and once for all that come in one turn of the event loop: it takes milliseconds, and whoever reaches the port may
 * ask without end.
 */
export function onceATurn<T>(make: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | null = null;
  const inTurn = async () => {
    await setImmediate();
    next = null;
    return make();
  };
  return () => (next ??= inTurn());
}

/** Serves /livez, /readyz and /metrics at a listen address; resolves to the function that stops it. */
export async function serveHealth(address: string, health: Health): Promise<() => Promise<void>> {
  const metrics = onceATurn(health.metrics);
  const handle: RequestListener = (request, response) => {
    const answer = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
    if (request.url === '/livez') return answer(200, 'ok\n');
    if (request.url === '/readyz') {
      const why = health.notReady();
      return why === null ? answer(200, 'ok\n') : answer(503, `${why}\n`);
    }
    if (request.url !== '/metrics') return answer(404, 'see /livez, /readyz and /metrics\n');
    metrics().then(
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
