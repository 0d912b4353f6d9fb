import type { Decision } from './quota-port.ts';

/**
 * What every answer says of the quota: the X- trio of the window that binds, and RateLimit and RateLimit-Policy with
 * both (draft-ietf-httpapi-ratelimit-headers-10); Retry-After where the request is refused (RFC 9110 section 10.2.3).
 */
export function quotaHeaders({ minute, day, binding, now, retryAfter }: Decision): Readonly<Record<string, string>> {
  const binds = binding === 'day' && day ? day : minute;
  const windows = [
    { name: 'minute', seconds: 60, view: minute },
    ...(day ? [{ name: 'day', seconds: 86_400, view: day }] : []),
  ];
  const wait = (resetAt: number) => Math.max(0, Math.ceil(resetAt - now / 1_000));
  return {
    'X-RateLimit-Limit': String(binds.limit),
    'X-RateLimit-Remaining': String(binds.remaining),
    'X-RateLimit-Reset': String(binds.resetAt),
    'RateLimit-Policy': windows.map(({ name, seconds, view }) => `"${name}";q=${view.limit};w=${seconds}`).join(', '),
    RateLimit: windows.map(({ name, view }) => `"${name}";r=${view.remaining};t=${wait(view.resetAt)}`).join(', '),
    ...(retryAfter === null ? {} : { 'Retry-After': String(Math.max(1, retryAfter)) }),
  };
}
