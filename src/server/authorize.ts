import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Caller } from '../use-cases/api-dependencies.ts';
import { callerOf, keyOf, unauthenticated } from '../use-cases/caller.ts';
import { problemOfError, internalError } from '../use-cases/error-to-problem.ts';
import { Problem } from '../use-cases/problem.ts';
import { addressQuota, headersOf, quotaOf, refusal } from '../use-cases/quota-admission.ts';
import type { AppOptions, Served } from './app-options.ts';
import { requestIdOf } from './locals.ts';

/** One of the platform's other APIs, as the administrator lists it. */
export interface AuthorizedApi {
  /** how many requests each of its requests counts as, at least 1 */
  readonly cost: number;
}

export interface AuthorizeOptions extends Pick<AppOptions, 'dependencies' | 'address' | 'decided'> {
  /** called for every request before it is processed */
  readonly arrived: (request: IncomingMessage) => void;
  /** called for unexpected errors */
  readonly failed: (error: unknown, requestId: string) => void;
  /** by name */
  readonly apis: Readonly<Record<string, AuthorizedApi>>;
  readonly served: (served: Pick<Served, 'route' | 'status' | 'ms'>) => void;
}

/** What a proxy is told about one request. */
interface Verdict {
  /** null where it may pass */
  readonly problem: Problem | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a proxy asks about. The path is set in the proxy's own configuration; what may follow it is the client's, and says nothing. */
const paths = /^\/authorize(?<nginx>-nginx)?\/(?<api>[a-z0-9-]{1,63})(?:[/?]|$)/;

/**
 * Answers proxies in front of the platform's other APIs: whether a request may pass, by its key and by the quota of its account,
 * which it spends. 200 has the quota headers and whose the key is; a refusal is the response that its client should get. nginx passes on
 * no status but 401 and 403: below `/authorize-nginx/` 429 is 403, with status and document in headers. Whatever is not the client's doing
 * keeps its status, of which nginx makes 500.
 */
export function createAuthorize(options: AuthorizeOptions): RequestListener {
  return (request, response) => {
    const startedAt = performance.now();
    const found = paths.exec(request.url ?? '')?.groups;
    const name = found?.api ?? '';
    const api = Object.hasOwn(options.apis, name) ? options.apis[name] : undefined;
    const isNginx = found?.nginx !== undefined;
    const requestId = requestIdOf(request);
    options.arrived(request);
    verdictOn(options, request, api)
      .catch((error: unknown): Verdict => ({ problem: unexpected(options, error, requestId), headers: {} }))
      .then((verdict) => {
        response.setHeader('x-request-id', requestId);
        if (options.dependencies.stopping.aborted) response.setHeader('connection', 'close');
        answer(response, verdict, { requestId, isNginx });
        const route = api ? `authorize ${name}` : 'authorize';
        options.served({ route, status: verdict.problem?.status ?? 200, ms: performance.now() - startedAt });
      })
      .catch((error: unknown) => {
        options.failed(error, requestId);
        response.destroy();
      });
  };
}

function unexpected({ failed }: AuthorizeOptions, error: unknown, requestId: string): Problem {
  const problem = problemOfError(error);
  if (!problem) failed(error, requestId);
  return problem ?? internalError();
}

async function verdictOn(
  { dependencies, address, decided }: AuthorizeOptions,
  request: IncomingMessage,
  api: AuthorizedApi | undefined,
): Promise<Verdict> {
  const from = address(request.socket.remoteAddress, request.headers);
  if (!api) {
    const decision = await addressQuota(dependencies, from);
    decided(decision, null);
    return { problem: refusal(decision) ?? unlisted(), headers: headersOf(decision, false) };
  }
  const found = callerOf(dependencies.caches, keyOf(request), dependencies.now());
  const caller = 'refused' in found ? null : found;
  const decision = await (caller ? quotaOf(dependencies, caller, api.cost) : addressQuota(dependencies, from));
  decided(decision, caller);
  const problem = refusal(decision) ?? ('refused' in found ? unauthenticated(found) : null);
  const headers = { ...headersOf(decision, false), ...(problem || !caller ? {} : identityOf(caller)) };
  return { problem, headers };
}

const unlisted = (): Problem =>
  new Problem('not-found', "the proxy asks about an API that is not in the chart's api.authorize.apis");

/** Whose the key is, for the API behind the proxy. Every value is a name of ours. */
const identityOf = ({ account, apiKey }: Caller): Readonly<Record<string, string>> => ({
  'X-Account-Name': account.metadata.name,
  'X-Account-Id': account.spec.id ?? '',
  'X-Account-Plan': account.spec.plan,
  'X-Api-Key-Id': apiKey.spec.keyId ?? '',
  'X-Api-Key-Scopes': apiKey.spec.scopes.join(' '),
});

interface Asked {
  readonly requestId: string;
  readonly isNginx: boolean;
}

function answer(response: ServerResponse, { problem, headers }: Verdict, { requestId, isNginx }: Asked): void {
  response.setHeader('cache-control', 'no-store');
  for (const [name, value] of Object.entries({ ...headers, ...problem?.headers })) response.setHeader(name, value);
  if (!problem) {
    response.end();
    return;
  }
  const document = JSON.stringify(problem.document(requestId));
  if (isNginx) {
    response.setHeader('x-authorize-status', problem.status);
    response.setHeader('x-authorize-problem', inAscii(document));
  }
  response.statusCode = isNginx && problem.status === 429 ? 403 : problem.status;
  response.setHeader('content-type', 'application/problem+json');
  response.end(document);
}

/** The same JSON, as a header can have it (RFC 9110 section 5.5). */
const inAscii = (json: string): string =>
  json.replaceAll(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
