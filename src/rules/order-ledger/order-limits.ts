import type { CertificateReason } from '../reasons.ts';

/** At most `count` in any window of `seconds`. */
export interface WindowLimit {
  readonly count: number;
  readonly seconds: number;
}

/** What one account at the certificate authority may order, and how that is shared; the chart's `issuer.limits`. */
export interface OrderLimits {
  /** new orders of the account at the authority, renewals included */
  readonly orders: WindowLimit;
  /** certificates of one registered domain (public suffix list, private suffixes included), renewals apart */
  readonly registeredDomain: WindowLimit;
  /** certificates of the very same set of names; ours have one name each */
  readonly exactSet: WindowLimit;
  /** failed authorizations of one name */
  readonly failures: WindowLimit;
  /** percent of `orders` that only renewals may use */
  readonly renewalReserve: number;
  /** percent of `orders` that platform hostnames may use at most */
  readonly platformPercent: number;
  /** weight of an account by the name of its plan; 1 for a plan that is not named */
  readonly shares: Readonly<Record<string, number>>;
}

/** First issue of a name (or issue once more), renewal inside its window, or a platform hostname's certificate. */
export type OrderClass = 'First' | 'Renewal' | 'Platform';

/** Why an order waits, and until when: milliseconds since the Unix epoch, an estimate where others compete. */
export interface OrderWait {
  readonly reason: Extract<CertificateReason, `Ledger${string}` | 'IssuanceLimited' | 'AuthoritySaysWait'>;
  readonly until: number;
}

/** Weight of an account's plan. */
export const weightOf = ({ shares }: OrderLimits, plan: string): number => shares[plan] ?? 1;

/**
 * An order reaches the authority a little after it was written down, so every window is taken longer than the
 * authority's own: by a tenth, at most two minutes.
 */
const mostSlack = 120_000;

export const windowMs = ({ seconds }: WindowLimit): number => seconds * 1_000 + Math.min(mostSlack, seconds * 100);

/** Times that still count, the oldest first. */
export const timesInWindow = (times: readonly number[], limit: WindowLimit, now: number): readonly number[] =>
  times.filter((at) => at > now - windowMs(limit)).toSorted((a, b) => a - b);

/** When the window has room for one more, milliseconds since the Unix epoch; null when it has now. */
export function roomAt(times: readonly number[], limit: WindowLimit, now: number): number | null {
  const inWindow = timesInWindow(times, limit, now);
  const oldestInTheWay = inWindow[inWindow.length - limit.count];
  return oldestInTheWay === undefined ? null : oldestInTheWay + windowMs(limit);
}
