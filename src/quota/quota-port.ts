/** What may be spent; perDay null: no day window (budgets per address). */
interface QuotaLimits {
  readonly perMinute: number;
  readonly perDay: number | null;
}

export interface Ask {
  /** whose budget: `a:<account id>` or `ip:<address>` */
  readonly budget: string;
  /** id of the key that asks, null without one: bans are the key's, strikes and their steps the budget's */
  readonly key: string | null;
  readonly limits: QuotaLimits;
  /** an administrator lifted bans that began at or before this time; ms since the Unix epoch, null when never */
  readonly liftedAt: number | null;
  /** 0 looks without spending, striking or banning */
  readonly spend: 0 | 1;
}

export interface WindowView {
  readonly limit: number;
  readonly remaining: number;
  /** unix seconds */
  readonly resetAt: number;
}

export interface Ban {
  /** unix seconds */
  readonly until: number;
  readonly seconds: number;
  readonly strikes: number;
  /** 1..5 */
  readonly step: number;
}

/** What the limiter says to one request. */
export interface Decision {
  readonly kind: 'allowed' | 'limited' | 'banned';
  /** unix ms, Redis' clock (the local estimate of it while Redis is away) */
  readonly now: number;
  readonly minute: WindowView;
  readonly day: WindowView | null;
  /** which of the two the X- trio shows */
  readonly binding: 'minute' | 'day';
  /** whole seconds; null when allowed */
  readonly retryAfter: number | null;
  readonly ban: Ban | null;
  /** true when this very request began the ban */
  readonly banBegins: boolean;
  /** decided by this process alone because Redis is away */
  readonly degraded: boolean;
}

/** Decides for one request after another; never rejects, never hangs. */
export interface Limiter {
  decide(ask: Ask): Promise<Decision>;
  close(): Promise<void>;
}

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
