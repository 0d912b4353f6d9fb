import type { Request } from 'express';
import type { Caller } from '../../use-cases/api-dependencies.ts';
import { keyOf } from '../../use-cases/caller.ts';
import type { ApiCall } from '../api-call.ts';
import type { KeyedRequest } from './answer-once.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { requestText } from './request-text.ts';

/**
 * The request, once its body has been read, as one with an idempotency key; null where it has none, or where that says nothing: what only reads
 * or removes, and a dry run. Throws malformed-request for a header that is none.
 */
export function keyedRequest(
  { idempotency, method, path }: ApiCall,
  { account }: Caller,
  request: Request,
): KeyedRequest | null {
  const { query } = request;
  const isDry = (query['dryRun'] ?? 'false') !== 'false';
  const key = idempotency === undefined || isDry ? null : readIdempotencyKey(request);
  if (key === null || idempotency === undefined) return null;
  return {
    ...{ key, idempotency },
    apiKey: keyOf(request) ?? '',
    account: account.spec.id ?? account.metadata.name,
    text: requestText({
      ...{ method, path, params: request.params, query, body: request.body as unknown },
      ifMatch: request.headers['if-match'],
    }),
  };
}
