import { verifyAnnotation } from '../resources/object-metadata.ts';
import { seconds } from './check-schedule.ts';

/** A request this soon after the previous one joins its series of checks (docs/concepts/states.md). */
const joinWithin = 10 * seconds;
/** How far a requester's clock may be ahead of ours. */
const skew = 10 * seconds;

export type VerifyRequest =
  | { readonly kind: 'none' }
  | { readonly kind: 'ignored'; readonly message: string }
  /** `fresh` starts a new series of checks; otherwise the request joins the current one */
  | { readonly kind: 'asked'; readonly value: string; readonly fresh: boolean };

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** Reads the Verify annotation, which REST, dashboard, CLI and kubectl all set. `seen` is the value processed last. */
export function verifyRequest(value: string | undefined, seen: string | null, now: number): VerifyRequest {
  if (value === undefined || value === seen) return { kind: 'none' };
  const at = rfc3339.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) {
    return {
      kind: 'ignored',
      message: `${verifyAnnotation} is not an RFC 3339 time; write for example 2026-01-31T12:00:00Z`,
    };
  }
  if (at > now + skew) return { kind: 'ignored', message: `${verifyAnnotation} lies in the future and is ignored` };
  const before = seen === null ? Number.NEGATIVE_INFINITY : Date.parse(seen);
  return { kind: 'asked', value, fresh: at - before >= joinWithin };
}
