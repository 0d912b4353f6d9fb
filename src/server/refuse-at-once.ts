import type { ServerResponse } from 'node:http';
import type { Decision } from '../quota/quota-port.ts';
import { callerOf, keyOf } from '../use-cases/caller.ts';
import { rememberedRefusal, headersOf, refusal } from '../use-cases/quota-admission.ts';
import { problemType } from './answer-problem.ts';
import type { AppOptions } from './app-options.ts';
import type { Handlers } from './begin-request.ts';
import { apiCalls } from './call-table.ts';
import { localsOf } from './locals.ts';

const free = apiCalls.flatMap((call) => (call.free ? call.path.replaceAll(/\{\w+\}/g, '[^/]+') : []));
const isFree = new RegExp(`^(?:${free.join('|')})(?:[?#]|$)`);

/**
 * Refuses what memory alone can refuse, before anything is routed: most requests of a flood end here. True where it has answered. Whatever
 * lies below /v1/ is refused like this, but for the calls that are free.
 */
export function refuseAtOnce(options: Pick<AppOptions, 'dependencies' | 'decided'>): Handlers['refuse'] {
  const { dependencies, decided } = options;
  const rendered = createRenderedRefusals();
  return (request, response, common) => {
    const { url = '' } = request;
    if (!url.startsWith('/v1/') || isFree.test(url)) return false;
    const locals = localsOf(response);
    const found = callerOf(dependencies.caches, keyOf(request), dependencies.now());
    locals.found = found;
    const decision = rememberedRefusal(dependencies, found, locals.address);
    if (!decision) return false;
    locals.caller = 'refused' in found ? null : found;
    decided(decision, locals.caller);
    answerRefusal(response, rendered(decision), { requestId: locals.requestId, common });
    return true;
  };
}

/** The response to a refusal, but for what differs between requests. */
interface RenderedRefusal {
  readonly status: number;
  /** names and values in turn */
  readonly headers: readonly string[];
  /** the document around the request's id */
  readonly parts: readonly string[];
}

/** Renders each object once: whoever goes on regardless is refused with the same one for up to a second. */
export function createRenderedRefusals(): (refused: Decision) => RenderedRefusal {
  const known = new WeakMap<Decision, RenderedRefusal>();
  return (refused) => {
    const rendered = known.get(refused) ?? render(refused);
    known.set(refused, rendered);
    return rendered;
  };
}

/** Stands for the request's id, and in no sentence. */
const placeholder = '{requestId}';

function render(refused: Decision): RenderedRefusal {
  const problem = refusal(refused);
  if (!problem) throw new Error('what is allowed is not refused');
  const { 'cache-control': _common, ...own } = problem.headers;
  const headers = { ...headersOf(refused, false), ...own, 'content-type': problemType };
  return {
    status: problem.status,
    headers: Object.entries(headers).flat(),
    parts: JSON.stringify(problem.document(placeholder)).split(placeholder),
  };
}

/** What differs between requests. The id has no character that JSON would escape. */
interface OfRequest {
  readonly requestId: string;
  /** headers that all responses have, names and values in turn; none is set yet */
  readonly common: readonly string[];
}

/** Answers with a problem document (RFC 9457). All headers at once: to set one after the other takes Node.js longer than all else here. */
export function answerRefusal(
  response: ServerResponse,
  { status, headers, parts }: RenderedRefusal,
  { requestId, common }: OfRequest,
): void {
  const text = parts.join(requestId);
  response.writeHead(status, [...common, ...headers, 'content-length', String(Buffer.byteLength(text))]);
  response.end(text);
}
