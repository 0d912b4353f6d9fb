import { visibleJson } from '../../lib/printable.ts';
import { problemOfError } from '../../use-cases/error-to-problem.ts';
import type { Answer } from '../api-call.ts';

/**
 * The text that an answer is kept as: what was done, and what its headers say of it. Null for any other, as a problem: a request that changed
 * nothing may be made again, and one that failed halfway has to be.
 */
export function keptText({ status, headers = {}, body, json, events }: Answer): string | null {
  if (status < 200 || status > 299 || events) return null;
  const shown = json ?? (body === undefined ? null : visibleJson(JSON.stringify(body)));
  return JSON.stringify([status, headers, shown]);
}

/** The answer again, with the header that says so. */
export function repeatedAnswer(text: string): Answer {
  const [status, headers, json] = JSON.parse(text) as [number, Readonly<Record<string, string>>, string | null];
  return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, ...(json === null ? {} : { json }) };
}

/** Whether a request that failed with this error has surely done nothing: it was refused. Of a fault nobody knows. */
export function hasDoneNothing(error: unknown): boolean {
  const status = problemOfError(error)?.status;
  return status !== undefined && status < 500;
}
