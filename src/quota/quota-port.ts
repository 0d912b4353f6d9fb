/** Limits of a budget; perDay is null without a day window (budgets per address). */
export interface QuotaLimits {
  readonly perMinute: number;
  readonly perDay: number | null;
}

export interface Ask {
  /** whose budget: `a:<account id>` or `ip:<address>` */
  readonly budget: string;
  /** id of the requesting key, 16 characters at most, null without one: bans belong to the key, strikes and ban steps to the budget */
  readonly key: string | null;
  readonly limits: QuotaLimits;
  /** an administrator lifted bans that began at or before this time; Unix ms, null when never */
  readonly liftedAt: number | null;
  /**
   * how many requests this one counts as: 0 only reads, without spending, strikes or bans. More than 1 is admitted while
   * `needs` are left, and its rest is missing from what follows.
   */
  readonly spend: number;
  /** how many requests have to be left for it to be admitted, no more than either limit; 1 when absent */
  readonly needs?: number;
}

/** The limits below which so many are left as the ask needs; none is reached by what can never be admitted. */
export function limitsToPass({ limits: { perMinute, perDay }, needs = 1 }: Pick<Ask, 'limits' | 'needs'>): QuotaLimits {
  const below = (limit: number): number => Math.max(0, limit - (needs - 1));
  return { perMinute: below(perMinute), perDay: perDay === null ? null : below(perDay) };
}

export interface WindowView {
  readonly limit: number;
  readonly remaining: number;
  /**
   * when it will have more left than now, if no other request of the account comes first: for a window that refuses, when a request
   * passes; Unix ms
   */
  readonly resetsAtMs: number;
}

/** The first whole second at which a window has more left; Unix seconds. */
export const resetSecond = ({ resetsAtMs }: Pick<WindowView, 'resetsAtMs'>): number => Math.ceil(resetsAtMs / 1_000);

interface Ban {
  /** Unix seconds */
  readonly until: number;
  readonly seconds: number;
  readonly strikes: number;
  /** 1..5 */
  readonly step: number;
}

/** The limiter's decision on one request. */
export interface Decision {
  readonly kind: 'allowed' | 'limited' | 'banned';
  /** Unix ms by Redis' clock (a local estimate of it while Redis is unavailable) */
  readonly now: number;
  readonly minute: WindowView;
  readonly day: WindowView | null;
  /** which of the two windows the X-RateLimit headers show; of a banned key the day's where that is used up for longer than the ban lasts */
  readonly binding: 'minute' | 'day';
  /** whole seconds until a request passes if nothing is spent before, at least 1; null when allowed */
  readonly retryAfter: number | null;
  readonly ban: Ban | null;
  /** true when this request began the ban */
  readonly banBegins: boolean;
  /** decided by this process alone because Redis is unavailable */
  readonly degraded: boolean;
}

/** Decides on each request; never rejects, never hangs. */
export interface Limiter {
  /** A refusal that is remembered, at once; null where decide() has to be asked. */
  recall(ask: Ask): Decision | null;
  decide(ask: Ask): Promise<Decision>;
  close(): Promise<void>;
}

/**
 * The quota headers of every answer: X-RateLimit-* for the binding window, RateLimit and RateLimit-Policy for both
 * (draft-ietf-httpapi-ratelimit-headers-10), and Retry-After for a refused request (RFC 9110 section 10.2.3). To a banned key its minute
 * is used up until the ban ends.
 */
export function quotaHeaders(decision: Decision): Readonly<Record<string, string>> {
  const { day, binding, now, retryAfter, ban } = decision;
  const minute = ban ? minuteOfBanned(decision.minute, ban) : decision.minute;
  const binds = binding === 'day' && day ? day : minute;
  const policy = `"minute";q=${minute.limit};w=60`;
  const left = `"minute";r=${minute.remaining};t=${secondsUntil(minute, now)}`;
  const headers: Record<string, string> = {
    'X-RateLimit-Limit': String(binds.limit),
    'X-RateLimit-Remaining': String(binds.remaining),
    'X-RateLimit-Reset': String(resetSecond(binds)),
    'RateLimit-Policy': day ? `${policy}, "day";q=${day.limit};w=86400` : policy,
    RateLimit: day ? `${left}, "day";r=${day.remaining};t=${secondsUntil(day, now)}` : left,
  };
  if (retryAfter !== null) headers['Retry-After'] = String(retryAfter);
  return headers;
}

/** A minute that is used up for longer than the ban lasts stays so. */
function minuteOfBanned(minute: WindowView, { until }: Ban): WindowView {
  const endsAtMs = until * 1_000;
  return {
    ...minute,
    remaining: 0,
    resetsAtMs: minute.remaining > 0 ? endsAtMs : Math.max(endsAtMs, minute.resetsAtMs),
  };
}

const secondsUntil = ({ resetsAtMs }: WindowView, now: number): number =>
  Math.max(0, Math.ceil((resetsAtMs - now) / 1_000));
