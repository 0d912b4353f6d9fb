import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pathWithoutToken } from '../rules/handover-path.ts';
import { internalError } from '../use-cases/error-to-problem.ts';
import { answerProblem } from './answer-problem.ts';
import { forwardedFor } from './client-address.ts';
import type { AppOptions, RequestObserver } from './app-options.ts';
import { localsOf, setLocals } from './locals.ts';
import { requestIdOf } from './request-id.ts';

/** Begins a request: it has an id, whoever observes it knows of it, and every response has the headers that all have. */
export function beginRequest(options: AppOptions, handle: RequestListener): RequestListener {
  return (request, response) => {
    const requestId = requestIdOf(request);
    const { within, served } = options.observe(requestId);
    within(() => {
      enter(options, requestId, { request, response, served });
      try {
        handle(request, response);
      } catch (error) {
        options.failed(error);
        answerProblem(response, internalError());
      }
    });
  };
}

interface Exchange extends Pick<RequestObserver, 'served'> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

function enter(
  { dependencies, address, isHttps, arrived }: AppOptions,
  requestId: string,
  { request, response, served }: Exchange,
): void {
  const startedAt = performance.now();
  const from = address(request.socket.remoteAddress, forwardedFor(request));
  setLocals(response, { requestId, address: from, found: null, route: null, caller: null, admitted: false });
  response.setHeader('x-request-id', requestId);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cache-control', 'no-store');
  arrived(request);
  if (isHttps(request)) response.setHeader('strict-transport-security', 'max-age=31536000');
  if (dependencies.stopping.aborted) response.setHeader('connection', 'close');
  // Express strips what it has matched from the request's own URL meanwhile.
  const { url = '' } = request;
  response.on('close', () => {
    const { route, caller } = localsOf(response);
    served({
      requestId,
      method: request.method ?? '',
      path: pathWithoutToken(pathOf(url)),
      route,
      status: response.statusCode,
      ms: performance.now() - startedAt,
      account: caller?.account.metadata.name ?? null,
      key: caller?.apiKey.spec.keyId ?? null,
      address: from,
    });
  });
}

/** Without the query, and without a host where a proxy sends one (RFC 9112 section 3.2.2). */
const pathOf = (url: string): string =>
  url.startsWith('/') ? (/^[^?#]*/.exec(url)?.[0] ?? '') : (URL.parse(url)?.pathname ?? '');
