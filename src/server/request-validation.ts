import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { json } from 'express';
import type { z } from 'zod';
import { Problem } from '../use-cases/problem.ts';
import type { InputPlace } from './input-errors.ts';
import { fieldOf, inputErrors, sentenceOfFault } from './input-errors.ts';
import { tooLarge } from './head-fault.ts';

/** Input is parsed and validated here, once; handlers get typed data or are never called. */

/** Characters of a parameter in a path: a hostname's, and nothing has a longer name. */
export const pathParameterMaximum = 253;

/** Throws not-found for a parameter that is longer than any name, before anything is done with it. */
export function refuseLongNames(params: Readonly<Record<string, unknown>>): void {
  const isLong = (value: unknown): boolean => String(value).length > pathParameterMaximum;
  if (Object.values(params).some(isLong)) throw new Problem('not-found', 'nothing here has a name as long as that');
}

interface Input {
  readonly query?: z.ZodType | undefined;
  readonly body?: z.ZodType | undefined;
}

/** Reads query and body of a call, whose body may be so large. */
export function createInputReader({ query, body }: Input, limitKiB: number) {
  const parseJson = json({ limit: limitKiB * 1_024, type: () => true, strict: true });
  return async (request: Request, response: Response) => ({
    query: query ? check(query, request.query, 'query') : noQuery(request),
    body: body ? check(body, await readBody(request, response, { parseJson, limitKiB }), 'body') : undefined,
  });
}

function noQuery({ query }: Request): undefined {
  const [first] = Object.keys(query);
  if (first !== undefined)
    throw inputProblem({ issues: [{ code: 'unrecognized_keys', keys: [first], path: [], message: '' }] }, 'query');
}

interface JsonParser {
  readonly parseJson: RequestHandler;
  readonly limitKiB: number;
}

async function readBody(request: Request, response: Response, parser: JsonParser): Promise<unknown> {
  const { headers } = request;
  const length = headers['content-length'];
  if (length === '0' || (length === undefined && headers['transfer-encoding'] === undefined)) {
    throw new Problem('malformed-request', 'send a JSON body');
  }
  if (!/^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new Problem('unsupported-media-type', 'send the body as JSON, with Content-Type: application/json');
  }
  await readWithin(request, parser.limitKiB, () => parsedJson(request, response, parser));
  return request.body;
}

/**
 * Reads a body by one of Express' parsers, and rejects with payload-too-large as soon as more has come than is allowed: the parsers read on to
 * the end before they say so, and a client that announced no length need not end. Rejects with the parser's error otherwise.
 */
export function readWithin<T>(request: IncomingMessage, limitKiB: number, read: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let received = 0;
    const count = (chunk: Buffer) => {
      received += chunk.length;
      if (received > limitKiB * 1_024) reject(tooLarge(limitKiB));
    };
    read()
      .then(resolve, reject)
      .finally(() => request.off('data', count));
    request.on('data', count);
  });
}

function parsedJson(request: Request, response: Response, { parseJson, limitKiB }: JsonParser): Promise<void> {
  return new Promise((resolve, reject) => {
    void parseJson(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(bodyProblem(error, limitKiB));
    });
  });
}

function bodyProblem(error: unknown, limitKiB: number): Error {
  const { type = '', status = 400 } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return tooLarge(limitKiB);
  if (status === 415) return new Problem('unsupported-media-type', 'send the body as JSON in UTF-8, plain or gzipped');
  return new Problem('malformed-request', 'the body is not a JSON object');
}

/** Parses input with a schema. Throws the problem that says what is wrong with it. */
export function check<T extends z.ZodType>(schema: T, given: unknown, place: InputPlace): z.output<T> {
  const result = schema.safeParse(given, { error: sentenceOfFault, reportInput: true });
  if (result.success) return result.data;
  throw inputProblem(result.error, place);
}

const hostnameFields = ['hostname', 'primary', 'from', 'to'];

type Fault = z.ZodError['issues'][number];

/** Unknown fields and wrong types are 400; an impossible hostname or redirect is 422. */
function inputProblem({ issues }: Pick<z.ZodError, 'issues'>, place: InputPlace): Problem {
  const errors = inputErrors(issues, place);
  const unknown = errors.filter(({ code }) => code === 'unknown-field');
  if (unknown.length > 0) {
    const names = unknown.map(({ pointer, parameter }) => pointer ?? parameter);
    return new Problem('unknown-field', `the ${place} has unknown fields: ${names.join(', ')}`, {
      members: { errors },
    });
  }
  const [first] = issues;
  if (!first) return new Problem('malformed-request', `the ${place} cannot be read`);
  const detail = `the ${place}, ${fieldOf(first.path) || 'as a whole'}: ${first.message}`;
  return new Problem(codeOf(first), detail, { members: { errors } });
}

function codeOf({ path, code }: Fault): 'invalid-hostname' | 'invalid-redirect' | 'malformed-request' {
  const field = String(path.at(-1) ?? '');
  const isLength = code === 'too_small' || code === 'too_big';
  if (isLength && hostnameFields.includes(field)) return 'invalid-hostname';
  const inRedirect = path.includes('redirect') || path.includes('redirects');
  return inRedirect && field === 'status' ? 'invalid-redirect' : 'malformed-request';
}
