import { backoff } from '../../lib/backoff.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { IssuerAccount, PlacedWith, OrderWait } from './order-limits.ts';
import { roomAt } from './order-limits.ts';

/** One order of a name, as recorded on the name's claim. */
export type OrderEntry = NonNullable<HostnameClaim['spec']['orders']>[number];

/** Pauses after failures in a row. Let's Encrypt forgives one a day, so a name never gets near its limit of 1,152. */
const pauseBounds = { first: 5 * 60_000, longest: 24 * 3_600_000 };

/** When an order ended, milliseconds since the Unix epoch; of an open one, and where it was not recorded, when it was placed. */
export const endOf = ({ at, endedAt = at }: OrderEntry): number => Date.parse(endedAt);

/**
 * From when an order counts against what an authority limits by certificates and failures, milliseconds since the Unix epoch: from its end,
 * which an open one has before it still. `now` for those.
 */
export const countsFrom = (order: OrderEntry, now: number): number =>
  order.outcome === 'Pending' ? Math.max(now, endOf(order)) : endOf(order);
const latest = (times: readonly number[]): number => Math.max(...times);

/**
 * Why a name's own orders, whoever placed them, make the next one with an account wait: the name was issued too often, failed too often
 * or too often in a row, or the authority named a time. Failures count wherever they were: an authority that is asked after another one
 * has refused would mostly refuse as well, and none is to pause the name. Null when it need not wait.
 */
export function hostnameWait(
  orders: readonly OrderEntry[],
  { limits, isHere }: Pick<IssuerAccount, 'limits' | 'isHere'>,
  now: number,
): OrderWait | null {
  const named = orders.flatMap((order) =>
    order.waitsUntil && order.scope === 'Name' && isHere(limitedAt(order)) ? [Date.parse(order.waitsUntil)] : [],
  );
  if (named.length > 0 && latest(named) > now) return { reason: 'AuthoritySaysWait', until: latest(named) };
  const issued = orders
    .filter((order) => mayHaveCertificate(order) && isHere(order))
    .map((order) => countsFrom(order, now));
  const full = roomAt(issued, limits.exactSet, now);
  if (full !== null) return { reason: 'LedgerNameFull', until: full };
  const pause = Math.max(roomAt(failures(orders), limits.failures, now) ?? 0, pauseEnds(orders));
  return pause > now ? { reason: 'IssuanceLimited', until: pause } : null;
}

/** True for an order that a certificate came of, or may still come of: what authorities count by certificates. */
export const mayHaveCertificate = ({ outcome }: Pick<OrderEntry, 'outcome'>): boolean =>
  outcome === 'Issued' || outcome === 'Pending';

/** Whose authority named the time that an order has to wait: the order may have gone on with another account since. */
export const limitedAt = ({ issuerAccount, waitsAccount = issuerAccount }: OrderEntry): PlacedWith =>
  waitsAccount === undefined ? {} : { issuerAccount: waitsAccount };

const failures = (orders: readonly OrderEntry[]): readonly number[] =>
  orders.filter(({ outcome }) => outcome === 'Failed').map(endOf);

/** End of the pause after the latest failures in a row; 0 without any. What was abandoned neither is one nor ends the row. */
function pauseEnds(orders: readonly OrderEntry[]): number {
  const decided = orders.filter(({ outcome }) => outcome === 'Issued' || outcome === 'Failed');
  const inARow = decided.slice(decided.findLastIndex(({ outcome }) => outcome === 'Issued') + 1);
  const last = inARow.at(-1);
  return last === undefined ? 0 : endOf(last) + backoff(inARow.length, pauseBounds);
}

/** What an order waits for that any of some accounts may take: the first to take one again. Null where one takes it now, or there is none. */
export function soonest(waits: readonly (OrderWait | null)[]): OrderWait | null {
  if (waits.includes(null)) return null;
  return waits.reduce((first, wait) => (first && wait && first.until > wait.until ? wait : first), waits[0] ?? null);
}

export interface AccountsForName<A> {
  /** those that the name's own orders do not keep waiting */
  readonly open: readonly A[];
  /** why there is none */
  readonly wait: OrderWait | null;
}

/** Which of some accounts a hostname's next order may be placed with, as far as its own earlier orders decide that. */
export function accountsForName<A extends Pick<IssuerAccount, 'limits' | 'isHere'>>(
  orders: readonly OrderEntry[],
  accounts: readonly A[],
  now: number,
): AccountsForName<A> {
  const waits = accounts.map((account) => hostnameWait(orders, account, now));
  return { open: accounts.filter((_, at) => waits[at] === null), wait: soonest(waits) };
}
