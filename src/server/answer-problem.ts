import type { ServerResponse } from 'node:http';
import { visibleJson } from '../lib/printable.ts';
import type { Problem } from '../use-cases/problem.ts';
import { localsOf } from './locals.ts';

export const problemType = 'application/problem+json; charset=utf-8';

/** Answers with a problem document (RFC 9457). */
export function answerProblem(response: ServerResponse, problem: Problem): void {
  response.statusCode = problem.status;
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  endWithJson(response, problemType, JSON.stringify(problem.document(localsOf(response).requestId)));
}

/** Answers with JSON, in which nothing turns, hides or is obeyed by whatever it is shown in: it quotes what callers sent and what DNS said. */
export const endWithJson = (response: ServerResponse, type: string, json: string): void =>
  endWith(response, type, visibleJson(json));

/** Answers with a text. Express' own send() looks for a charset, and whether the client has it already, which nothing here can tell. */
export function endWith(response: ServerResponse, type: string, text: string): void {
  response.setHeader('content-type', type);
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}
