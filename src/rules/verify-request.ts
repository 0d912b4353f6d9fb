import { verifyAnnotation } from '../resources/object-metadata.ts';
import { seconds } from './check-schedule.ts';

/** A request this soon after the last one joins its series of checks (docs/concepts/states.md). */
const joinWithin = 10 * seconds;
/** One that joins has its own check so soon after the last one: of what was found before it, nobody was told that it is so now. */
const repeatedAfter = 5 * seconds;

export type VerifyRequest =
  | { readonly kind: 'none' }
  | { readonly kind: 'ignored'; readonly message: string }
  /** `fresh` starts a new series of checks, at once; otherwise the request joins the current one */
  | { readonly kind: 'asked'; readonly value: string; readonly fresh: boolean };

/** What is known of the requests before. */
export interface EarlierRequests {
  /** the value that was processed last; null before the first */
  readonly verifySeen: string | null;
  /** when the current series of checks began, milliseconds since the Unix epoch */
  readonly startedAt: number;
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

const isTime = (value: string): boolean => rfc3339.test(value) && !Number.isNaN(Date.parse(value));

/** True for a value of the Verify annotation that asks for a check which has not been made. */
export const isVerifyAhead = (value: string | undefined, seen: string | null): boolean =>
  value !== undefined && value !== seen && isTime(value);

/**
 * Reads the Verify annotation, which REST, dashboard, CLI and kubectl all set. Its time only tells one request from another: whatever clock
 * wrote it, and however wrong, when it was asked is when it is seen.
 */
export function verifyRequest(
  value: string | undefined,
  { verifySeen, startedAt }: EarlierRequests,
  now: number,
): VerifyRequest {
  if (value === undefined || value === verifySeen) return { kind: 'none' };
  if (!isTime(value)) {
    return {
      kind: 'ignored',
      message: `${verifyAnnotation} is not an RFC 3339 time; write for example 2026-01-31T12:00:00Z`,
    };
  }
  return { kind: 'asked', value, fresh: verifySeen === null || Math.abs(now - startedAt) >= joinWithin };
}

/** When a request needs a check, milliseconds since the Unix epoch: at once (0), or a little after the last one; null for none. */
export function verifyCheckAt(request: VerifyRequest, checkedAt: number | null): number | null {
  if (request.kind !== 'asked') return null;
  return request.fresh ? 0 : (checkedAt ?? 0) + repeatedAfter;
}
