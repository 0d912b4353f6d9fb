import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pathWithoutToken } from '../rules/handover-path.ts';
import { internalError } from '../use-cases/error-to-problem.ts';
import { answerProblem } from './answer-problem.ts';
import type { AppOptions, RequestObserver } from './app-options.ts';
import { localsOf, requestIdOf, setLocals } from './locals.ts';
import { ensureQuotaHeaders } from './quota-answer.ts';

/** What becomes of a request that has begun. */
export interface Handlers {
  /** True where it has answered: with the headers that all responses have, names and values in turn, none of which is set yet. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse, common: readonly string[]) => boolean;
  /** Those headers are set. */
  readonly handle: RequestListener;
}

/** Begins a request: it has an id, whoever observes it knows of it, and every response has the headers that all have. */
export function beginRequest(options: AppOptions, { refuse, handle }: Handlers): RequestListener {
  return (request, response) => {
    const requestId = requestIdOf(request);
    const { within, served } = options.observe(requestId);
    within(() => {
      enter(options, requestId, { request, response, served });
      const common = commonHeaders(options, requestId, request);
      try {
        if (refuse(request, response, common)) return;
        setAll(response, common);
        handle(request, response);
      } catch (error) {
        options.failed(error);
        void answerFailed(options, response, common);
      }
    });
  };
}

/** The last resort: nothing below has answered. Where that fails as well, the connection ends. */
async function answerFailed(
  { dependencies, failed }: AppOptions,
  response: ServerResponse,
  common: readonly string[],
): Promise<void> {
  try {
    await ensureQuotaHeaders(response, dependencies, localsOf(response).address);
    if (response.headersSent) return void response.destroy();
    setAll(response, common);
    answerProblem(response, internalError());
  } catch (error) {
    failed(error);
    response.destroy();
  }
}

function commonHeaders({ dependencies, isHttps }: AppOptions, requestId: string, request: IncomingMessage): string[] {
  const common = ['x-request-id', requestId, 'x-content-type-options', 'nosniff', 'cache-control', 'no-store'];
  if (isHttps(request)) common.push('strict-transport-security', 'max-age=31536000');
  if (dependencies.stopping.aborted) common.push('connection', 'close');
  return common;
}

function setAll(response: ServerResponse, headers: readonly string[]): void {
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
}

interface Exchange extends Pick<RequestObserver, 'served'> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

function enter({ address, arrived }: AppOptions, requestId: string, { request, response, served }: Exchange): void {
  const startedAt = performance.now();
  const from = address(request.socket.remoteAddress, request.headers);
  setLocals(response, { requestId, address: from, found: null, route: null, caller: null, admitted: false });
  arrived(request);
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

/** Without the query, and without a host where a proxy sends one (RFC 9112 section 3.2.2), whose name is not read. */
const pathOf = (url: string): string => /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] ?? '';
