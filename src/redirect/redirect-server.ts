import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { finished } from 'node:stream';
import type { Duplex } from 'node:stream';
import type { RedirectRequest, RedirectAnswer } from './decide-redirect.ts';
import { authorityOf, hostnameOf } from './decide-redirect.ts';

export interface RedirectServerOptions {
  readonly answer: (request: RedirectRequest) => RedirectAnswer;
  readonly served: (status: number) => void;
  /** true once the process is stopping: connections are not kept alive any longer */
  readonly stopping: () => boolean;
}

/** In milliseconds. Node.js checks for expired connections once per interval, by default only every 30 s. */
const limits = {
  requestTimeout: 10_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 75_000,
} as const;

/** How much of an unwanted request body is read, and how long its sender has to read the answer. */
const unwantedBytes = 64 * 1_024;
const unwantedMs = 1_000;

/** Plain HTTP; the ingress terminates TLS. The target is never parsed as a URL: that would change its bytes. */
export function createRedirectServer({ answer, served, stopping }: RedirectServerOptions): Server {
  const reply: RequestListener = (request, response) => {
    const { status, headers, body } = answer(redirectRequestOf(request));
    served(status);
    const unwanted = carriesBody(request);
    response.writeHead(status, {
      ...headers,
      'content-length': Buffer.byteLength(body),
      ...(unwanted || stopping() ? { connection: 'close' } : {}),
    });
    if (!unwanted) return void response.end(body);
    response.flushHeaders();
    if (body !== '') response.write(body);
    drain(request, () => void response.end());
  };
  const refuseTunnel = (_: IncomingMessage, connection: Duplex) => {
    served(400);
    connection.on('error', () => undefined);
    connection.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () =>
      connection.destroy(),
    );
  };
  // Without its own listener, Node.js would answer `Expect: 100-continue` with 100 Continue, which invites the body.
  return createServer(limits, reply).on('checkContinue', reply).on('connect', refuseTunnel);
}

const carriesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Reads an unwanted body to its end, within limits: closing a connection with unread bytes resets it, and the reset can
 * overtake the answer (RFC 9112 section 9.6).
 */
function drain(request: IncomingMessage, done: () => void): void {
  let left = unwantedBytes;
  const timer = setTimeout(done, unwantedMs);
  finished(request, () => {
    clearTimeout(timer);
    done();
  });
  request.on('data', ({ length }: Buffer) => {
    left -= length;
    if (left < 0) request.pause();
  });
}

function redirectRequestOf(request: IncomingMessage): RedirectRequest {
  const target = request.url ?? '';
  const named = request.headersDistinct.host ?? [];
  const authority = authorityOf(target) ?? (named.length === 1 ? named[0] : undefined);
  return { target, host: authority === undefined || named.length > 1 ? null : hostnameOf(authority) };
}
