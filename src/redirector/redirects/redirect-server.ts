import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { finished } from 'node:stream';
import type { SocketLimits } from '../../lib/bounded-server.ts';
import { createBoundedServer } from '../../lib/bounded-server.ts';
import type { RefusedRequest } from '../../lib/refused-request.ts';
import { bareAnswer } from '../../lib/refused-request.ts';
import type { RedirectRequest, RedirectAnswer } from './decide-redirect.ts';
import { authorityOf, hostnameOf } from './decide-redirect.ts';

export interface RedirectServerOptions {
  readonly answer: (request: RedirectRequest) => RedirectAnswer;
  readonly served: (status: number) => void;
  /** true once the process is stopping: connections are not kept alive any longer */
  readonly stopping: () => boolean;
  /** other than the shipped ones */
  readonly limits?: Partial<SocketLimits>;
}

/** How much of an unwanted request body is read, and how long its sender has to read the answer. */
const unwantedBytes = 64 * 1_024;
const unwantedMs = 1_000;

/** Plain HTTP; the ingress terminates TLS. The target is never parsed as a URL: that would change its bytes. */
export function createRedirectServer({ answer, served, stopping, limits = {} }: RedirectServerOptions): Server {
  const handle: RequestListener = (request, response) => {
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
  const refuse = (refused: RefusedRequest): string => {
    if (refused.reason === 'tunnel') served(400);
    return bareAnswer(refused);
  };
  return createBoundedServer({ handle, refuse, limits });
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
  // Only HTTP/1.0 knows requests without a Host (RFC 9112 section 3.2).
  const isAmbiguous = named.length > 1 || (named.length === 0 && request.httpVersion === '1.1');
  const scheme = schemes.get(request.headers['x-forwarded-proto']) ?? null;
  return { target, scheme, host: authority === undefined || isAmbiguous ? null : hostnameOf(authority) };
}

/** As edges name them, and a WebSocket over them. Whoever forges it is led in a circle himself, and nobody else. */
const schemes: ReadonlyMap<unknown, 'http' | 'https'> = new Map([
  ['http', 'http'],
  ['ws', 'http'],
  ['https', 'https'],
  ['wss', 'https'],
]);
