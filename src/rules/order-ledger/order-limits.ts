import type { CertificateReason } from '../reasons.ts';

/** At most `count` in any window of `seconds`. */
export interface WindowLimit {
  readonly count: number;
  readonly seconds: number;
}

/** What one ACME account may order of its authority, and how that is shared; the chart's `issuer.limits`. */
export interface OrderLimits {
  /** new orders of the ACME account, renewals included */
  readonly orders: WindowLimit;
  /** certificates below one registered domain (by the public suffix list with private suffixes), without renewals */
  readonly registeredDomain: WindowLimit;
  /** certificates for exactly the same set of names; ours have one name each */
  readonly exactSet: WindowLimit;
  /** failed authorizations of one name */
  readonly failures: WindowLimit;
  /** percent of `orders` that only renewals may use */
  readonly renewalReserve: number;
  /** percent of `orders` that platform hostnames may use at most */
  readonly platformPercent: number;
  /** weight of an account by the name of its plan; 1 for a plan that is not listed */
  readonly shares: Readonly<Record<string, number>>;
}

/** A name's first certificate (or a new one not near its end), a renewal near its end, or a platform hostname's. */
export type OrderClass = 'First' | 'Renewal' | 'Platform';

/** Why an order waits, and until when: milliseconds since the Unix epoch, an estimate if others compete. */
export interface OrderWait {
  readonly reason: Extract<CertificateReason, `Ledger${string}` | 'IssuanceLimited' | `Authority${string}`>;
  readonly until: number;
}

/** Weight of an account's plan. */
export const weightOf = ({ shares }: OrderLimits, plan: string): number => shares[plan] ?? 1;

/**
 * An order reaches the authority a little after it was recorded, so every window is longer than the authority's own: by
 * a tenth, at most two minutes.
 */
const mostSlack = 120_000;

export const windowMs = ({ seconds }: WindowLimit): number => seconds * 1_000 + Math.min(mostSlack, seconds * 100);

/** Of several limits, the one whose window is the longest. Throws without any. */
export const longestOf = (limits: readonly WindowLimit[]): WindowLimit =>
  limits.reduce((longest, limit) => (limit.seconds > longest.seconds ? limit : longest));

/** The times that still count, oldest first. */
export const timesInWindow = (times: readonly number[], limit: WindowLimit, now: number): readonly number[] =>
  times.filter((at) => at > now - windowMs(limit)).toSorted((a, b) => a - b);

/** When the window has room for one more, milliseconds since the Unix epoch; null when it has room now. */
export function roomAt(times: readonly number[], limit: WindowLimit, now: number): number | null {
  const at = roomAfter(times, limit, 0, now);
  return at > now ? at : null;
}

/**
 * When it has room for one more that `before` others go before, milliseconds since the Unix epoch: `now` when it has room for all of them. Each makes
 * room for another one when it leaves the window.
 */
export function roomAfter(times: readonly number[], limit: WindowLimit, before: number, now: number): number {
  const taken = timesInWindow(times, limit, now).slice(-limit.count);
  const later = before - (limit.count - taken.length);
  if (later < 0) return now;
  return (taken[later % limit.count] ?? now) + (Math.floor(later / limit.count) + 1) * windowMs(limit);
}

/** An order, as far as it shows whose it is. */
export interface PlacedWith {
  /** name of the account; absent where the issuer had none to name */
  readonly issuerAccount?: string | undefined;
}

/** An account that orders are placed with, as they are counted. */
export interface IssuerAccount {
  /** as in spec.accounts of an AcmeIssuer; null for the account of an issuer that has one alone, without a name */
  readonly name: string | null;
  readonly limits: OrderLimits;
  /** the issuer has no other */
  readonly isAlone: boolean;
  /** True for an order of this very account: its authority counts new orders by account. */
  readonly isOwn: (order: PlacedWith) => boolean;
  /** True for an order at the same authority, with whichever account: names and registered domains are counted over all of them. */
  readonly isHere: (order: PlacedWith) => boolean;
}

/** An account as it is configured. */
export interface ConfiguredAccount extends Pick<IssuerAccount, 'limits'> {
  readonly name: string | null;
  /** URL of its authority */
  readonly server: string;
}

const always = (): boolean => true;

/**
 * Which orders each account counts. One that names no account is the first one's; with one account all are, as it may have been
 * renamed. What another account that is gone has placed is counted by nobody.
 */
export function countingAccounts<A extends ConfiguredAccount>(accounts: readonly A[]): readonly (A & IssuerAccount)[] {
  const serverOf = new Map(accounts.map(({ name, server }) => [name, server]));
  const isAlone = accounts.length < 2;
  const nameIn = ({ issuerAccount }: PlacedWith): string | null => issuerAccount ?? accounts[0]?.name ?? null;
  return accounts.map((account) => ({
    ...account,
    isAlone,
    isOwn: isAlone ? always : (order: PlacedWith) => nameIn(order) === account.name,
    isHere: isAlone ? always : (order: PlacedWith) => serverOf.get(nameIn(order)) === account.server,
  }));
}

/** Those of the accounts that may be used, where a list of names says so. */
export const permittedOf = <A extends Pick<IssuerAccount, 'name'>>(
  accounts: readonly A[],
  permitted: readonly string[] | undefined | null,
): readonly A[] => (permitted ? accounts.filter(({ name }) => name === null || permitted.includes(name)) : accounts);

/** What an order says of the account that it is placed with. */
export const placedWith = ({ name }: Pick<IssuerAccount, 'name'>): { readonly issuerAccount?: string } =>
  name === null ? {} : { issuerAccount: name };
