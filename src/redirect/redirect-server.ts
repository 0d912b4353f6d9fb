import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { finished } from 'node:stream';
import type { Duplex } from 'node:stream';
import type { RedirectRequest, RedirectAnswer } from './decide-redirect.ts';
import { authorityOf, hostnameOf } from './decide-redirect.ts';

export interface RedirectServerOptions {
  readonly answer: (asked: RedirectRequest) => RedirectAnswer;
  readonly served: (status: number) => void;
  /** true once the process was told to stop: connections are not kept any longer */
  readonly stopping: () => boolean;
}

/** Milliseconds; node looks for expired connections only as often as the interval says, every 30 s if left alone. */
const limits = {
  requestTimeout: 10_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 75_000,
} as const;

/** How much of an unwanted body is read, and how long its sender has to take the answer. */
const unwantedBytes = 64 * 1_024;
const unwantedMs = 1_000;

/** Plain HTTP; TLS ends at the ingress. The target is never parsed as a URL: that would change its bytes. */
export function createRedirectServer({ answer, served, stopping }: RedirectServerOptions): Server {
  const reply: RequestListener = (request, response) => {
    const { status, headers, body } = answer(askedOf(request));
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
    readOff(request, () => void response.end());
  };
  const refuseTunnel = (_: IncomingMessage, connection: Duplex) => {
    served(400);
    connection.on('error', () => undefined);
    connection.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () =>
      connection.destroy(),
    );
  };
  // Without a listener of its own `Expect: 100-continue` would be answered with an invitation to send the body.
  return createServer(limits, reply).on('checkContinue', reply).on('connect', refuseTunnel);
}

const carriesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Lets a body run out that nobody wants, within bounds: a connection that ends with bytes unread is reset, and the reset
 * can overtake the answer (RFC 9112 section 9.6).
 */
function readOff(request: IncomingMessage, done: () => void): void {
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

function askedOf(request: IncomingMessage): RedirectRequest {
  const target = request.url ?? '';
  const named = request.headersDistinct.host ?? [];
  const authority = authorityOf(target) ?? (named.length === 1 ? named[0] : undefined);
  return { target, host: authority === undefined || named.length > 1 ? null : hostnameOf(authority) };
}
