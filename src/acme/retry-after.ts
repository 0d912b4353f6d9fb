/** No authority asks for more than its longest window, and a wrong clock is no reason to wait for ever. */
const longestMs = 7 * 24 * 3_600_000;
/** An HTTP-date (RFC 9110, section 5.6.7) of the form that is sent; `Date.parse` takes far more for a date. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds of a Retry-After header (RFC 9110, section 10.2.3), seconds or a date, a week at most; null without a valid one. */
export function retryAfterMs(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1_000, longestMs);
  return httpDate.test(value) ? Math.min(Math.max(Date.parse(value) - now, 0), longestMs) : null;
}
