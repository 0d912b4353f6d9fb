import type { ServerResponse } from 'node:http';
import type { Decision } from '../quota/quota-port.ts';
import { headersOf, refusal } from '../use-cases/quota-admission.ts';
import { problemType } from './answer-problem.ts';

/** The response to a refusal, but for what differs between requests. */
interface RenderedRefusal {
  readonly status: number;
  /** names and values in turn */
  readonly headers: readonly string[];
  /** the document around the request's id */
  readonly parts: readonly string[];
}

interface RenderedRefusals {
  /** Rendered once for each object: whoever goes on regardless is refused with the same one for up to a second. */
  of(refused: Decision): RenderedRefusal;
}

export function createRenderedRefusals(): RenderedRefusals {
  const known = new WeakMap<Decision, RenderedRefusal>();
  return {
    of(refused) {
      const before = known.get(refused);
      if (before) return before;
      const rendered = render(refused);
      known.set(refused, rendered);
      return rendered;
    },
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
