import type { Server as HttpServer, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { promisify } from 'node:util';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';

/** A listen address, as net.Server.listen() takes it. Without a host: every address of both IP families. */
export interface ListenAddress {
  readonly host?: string;
  readonly port: number;
}

/** The form of a listen address, for messages. */
export const listenAddressForm = 'ADDR:PORT, [ADDR6]:PORT, or :PORT for every address of both families';

const form = /^(?:\[(?<v6>[0-9a-f:.]+(?:%\w+)?)\]|(?<host>[^\s:[\]]*)):(?<port>\d{1,5})$/i;

/** Reads `ADDR:PORT`, `[ADDR6]:PORT` (RFC 3986 section 3.2.2) or `:PORT`; null for anything else. */
export function parseListenAddress(text: string): ListenAddress | null {
  const found = form.exec(text)?.groups;
  if (!found) return null;
  const port = Number(found.port);
  const host = found.v6 ?? found.host;
  if (port > 65_535) return null;
  return host ? { host, port } : { port };
}

/**
 * Resolves once the server listens there. Rejects when it cannot, or when the text is not a listen address. An error
 * that the server has later is not handled here.
 */
export async function listen(server: Server, address: string): Promise<void> {
  const where = parseListenAddress(address);
  if (where === null) throw new Error(`${address} is not ${listenAddressForm}`);
  await new Promise<void>((done, fail) => {
    server.once('error', fail).listen(where, () => {
      server.off('error', fail);
      done();
    });
  });
}

const drainWithinMs = 10_000;

/** How long connections of a server that stops may be used once more, or be closed by their clients. */
const lastUseWithinMs = 1_000;

const lastUseEveryMs = 20;

/**
 * Listens at a listen address. Resolves to the function that stops the server: it accepts no new connections, and requests
 * in progress have ten seconds to finish.
 *
 * A connection that is closed while it is idle loses the request that is on its way (RFC 9112 section 9.3.1): before
 * any is closed, they have a second in which each answer says that it is the last one.
 */
export async function serveUntil(
  server: HttpServer,
  address: string,
  clock: Pick<Clock, 'elapsed' | 'sleep'> = systemClock,
): Promise<() => Promise<void>> {
  await listen(server, address);
  return async () => {
    server.prependListener('request', (_, response: ServerResponse) => response.setHeader('Connection', 'close'));
    await lastUses(server, clock);
    // close() does this as well, before it ends the listening socket: what connects in between would be reset.
    server.closeIdleConnections();
    await acceptBacklog(server);
    await new Promise<void>((done) => {
      const timer = setTimeout(() => server.closeAllConnections(), drainWithinMs);
      server.close(() => {
        clearTimeout(timer);
        done();
      });
    });
  };
}

/** Resolves once no connection is open, within a second. */
async function lastUses(server: HttpServer, { elapsed, sleep }: Pick<Clock, 'elapsed' | 'sleep'>): Promise<void> {
  const connections = promisify(server.getConnections.bind(server));
  const endsAt = elapsed() + lastUseWithinMs;
  while ((await connections()) > 0 && elapsed() < endsAt) await sleep(lastUseEveryMs);
}

/** Node's default for the backlog of a listening socket: no more connections than that can wait to be accepted. */
const backlogAtMost = 511;

const turnOfEventLoop = () => new Promise<void>((done) => setImmediate(done));

/**
 * Resolves once the server has accepted every connection that the kernel has already completed. Closing a listening
 * socket resets those that wait in its accept queue (listen(2)), although their clients have been told that they are
 * connected and may have sent a request.
 *
 * libuv accepts one connection in each turn of the event loop, and the turn in which this is called may be past its poll
 * phase: the queue is empty when two turns have accepted none.
 */
async function acceptBacklog(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  for (let before = -1; before !== accepted && accepted < backlogAtMost;) {
    before = accepted;
    await turnOfEventLoop();
    await turnOfEventLoop();
  }
  server.off('connection', count);
}
