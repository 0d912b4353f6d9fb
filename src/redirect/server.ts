import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Asked, RedirectAnswer } from './decide.ts';
import { authorityOf, hostnameOf } from './decide.ts';

export interface RedirectServerOptions {
  readonly answer: (asked: Asked) => RedirectAnswer;
  readonly served: (status: number) => void;
  /** true once the process was told to stop: connections are not kept any longer */
  readonly stopping: () => boolean;
}

/** Plain HTTP; TLS ends at the ingress. The target is never parsed as a URL: that would change its bytes. */
export function createRedirectServer({ answer, served, stopping }: RedirectServerOptions): Server {
  const reply = (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = answer(askedOf(request));
    served(status);
    response.writeHead(status, {
      ...headers,
      'content-length': Buffer.byteLength(body),
      ...(stopping() ? { connection: 'close' } : {}),
    });
    response.end(body);
  };
  return createServer({ requestTimeout: 10_000, headersTimeout: 10_000, keepAliveTimeout: 75_000 }, reply);
}

function askedOf(request: IncomingMessage): Asked {
  const target = request.url ?? '';
  const named = request.headersDistinct.host ?? [];
  const authority = authorityOf(target) ?? (named.length === 1 ? named[0] : undefined);
  return { target, host: authority === undefined || named.length > 1 ? null : hostnameOf(authority) };
}
