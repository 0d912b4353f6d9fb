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
