/** No authority asks for more than its longest window, and a wrong clock is no reason to wait for ever. */
const longestMs = 7 * 24 * 3_600_000;

/** Milliseconds of a Retry-After header (RFC 9110, section 10.2.3), seconds or a date, a week at most; null without a valid one. */
export function retryAfterMs(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), longestMs);
}
