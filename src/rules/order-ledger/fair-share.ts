import type { OrderClass, OrderLimits, OrderWait } from './order-limits.ts';
import { windowMs } from './order-limits.ts';
import type { LedgerOrder, WindowUsage } from './window-usage.ts';
import { inWindow, paceOf, windowUsage } from './window-usage.ts';

/** Who requests an order, as far as sharing the window is concerned. */
export interface Payer {
  readonly account: string;
  /** registered domain of the hostname */
  readonly domain: string;
  /** of the account's plan */
  readonly weight: number;
  readonly kind: OrderClass;
  /** first orders of a week: the account's, or those below the registered domain if there are more */
  readonly served: number;
}

const percentOf = (count: number, percent: number): number => Math.floor((count * percent) / 100);

/** Orders left for renewals: everything that the window still has. */
const freeForRenewals = ({ used }: WindowUsage, { orders }: OrderLimits): number => orders.count - used;

/** Orders left for customers' first orders: the unused part of the renewals' reserve is kept back. */
function freeForFirst(tally: WindowUsage, { orders, renewalReserve }: OrderLimits): number {
  const reserve = Math.max(0, percentOf(orders.count, renewalReserve) - tally.renewals);
  return orders.count - tally.used - reserve;
}

/** Platform hostnames may use at most their own part of the window. */
const freeForPlatform = (tally: WindowUsage, limits: OrderLimits): number =>
  Math.min(freeForFirst(tally, limits), percentOf(limits.orders.count, limits.platformPercent) - tally.platform);

const free: Readonly<Record<OrderClass, (tally: WindowUsage, limits: OrderLimits) => number>> = {
  Renewal: freeForRenewals,
  First: freeForFirst,
  Platform: freeForPlatform,
};

/** Orders that the window has left for a class; none when below one. */
export const freeFor = (tally: WindowUsage, limits: OrderLimits, kind: OrderClass): number => free[kind](tally, limits);

/** An account with fewer outcomes than this is trusted. */
const enoughOutcomes = 4;
const leastTrust = 1 / 8;

/** 1 when at least half of an account's orders end in a certificate, down to an eighth when all of them fail. */
function trust(tally: WindowUsage, account: string): number {
  const [failed, issued] = tally.outcomes.get(account) ?? [0, 0];
  if (failed + issued < enoughOutcomes) return 1;
  return Math.min(1, Math.max(leastTrust, (2 * issued) / (failed + issued)));
}

/** The effective weight; for platform hostnames it is the same on every plan. */
export const shareOf = (tally: WindowUsage, { kind, weight, account }: Payer): number =>
  kind === 'Platform' ? 1 : weight * trust(tally, account);

/** What the account has used of the window, or all accounts below the registered domain if that is more. */
function usedBy(tally: WindowUsage, { kind, account, domain }: Payer): number {
  if (kind === 'Platform') return tally.byAccount.get(`platform ${account}`) ?? 0;
  return Math.max(tally.byAccount.get(account) ?? 0, tally.byDomain.get(domain) ?? 0);
}

/** An account with fewer first orders in a week, per unit of weight, is a light user. */
const lightOrders = 5;

const isLight = (tally: WindowUsage, payer: Payer): boolean =>
  usedBy(tally, payer) === 0 && payer.served < lightOrders * payer.weight;

/**
 * Does the window have an order for this payer right now? A renewal, or a light user with no order in the window yet,
 * only needs one that is free. All others together get at most half of what is free in any sixth of the window: however
 * many orders are wanted at once, they do not expire from the window all at once either, so newcomers find free ones.
 */
function isOpen(tally: WindowUsage, limits: OrderLimits, payer: Payer): boolean {
  if (freeFor(tally, limits, payer.kind) < 1) return false;
  return payer.kind === 'Renewal' || isLight(tally, payer) || tally.recent < freeForFirst(tally, limits);
}

/**
 * May the payer have one more order of the window? An account uses at most its weight times what is left free (the
 * dynamic threshold of Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998): with weight 1, one account
 * gets half of the window, two a third each. So newcomers always find room, and weights add up: several accounts
 * together get what one with the sum of their weights would. Renewals are exempt: they occur once per certificate
 * lifetime.
 */
function isWithinShare(tally: WindowUsage, limits: OrderLimits, payer: Payer): boolean {
  if (payer.kind === 'Renewal') return true;
  return usedBy(tally, payer) < shareOf(tally, payer) * freeFor(tally, limits, payer.kind);
}

/** The orders of an issuer at one moment. */
export interface IssuerOrders {
  readonly orders: readonly LedgerOrder[];
  /** until when the authority paused our whole ACME account, milliseconds since the Unix epoch; 0 without a pause */
  readonly authorityPauseUntil: number;
}

/** Why the window has no order for this payer right now; null when it has one. */
export function refusal(tally: WindowUsage, limits: OrderLimits, payer: Payer): OrderWait['reason'] | null {
  if (!isOpen(tally, limits, payer)) return 'LedgerIssuerFull';
  return isWithinShare(tally, limits, payer) ? null : 'LedgerShareUsed';
}

/** Why the issuer's window makes one more order wait, and until when if nobody else takes it; null when it need not. */
export function issuerWait(book: IssuerOrders, limits: OrderLimits, payer: Payer, now: number): OrderWait | null {
  if (book.authorityPauseUntil > now) return { reason: 'AuthoritySaysWait', until: book.authorityPauseUntil };
  const live = inWindow(book.orders, limits, now);
  const reason = refusal(windowUsage(live, limits, now), limits, payer);
  return reason === null ? null : { reason, until: firstRoom(live, limits, payer, now) };
}

/** As orders leave the window, room only grows, so a binary search finds the first moment with room. */
function firstRoom(live: readonly LedgerOrder[], limits: OrderLimits, payer: Payer, now: number): number {
  const ends = live
    .flatMap(({ at }) => [windowMs(limits.orders), paceOf(limits)].map((length) => Date.parse(at) + length))
    .filter((end) => end > now)
    .toSorted((a, b) => a - b);
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const hasRoom = refusal(windowUsage(live, limits, ends[middle] ?? now), limits, payer) === null;
    if (hasRoom) high = middle;
    else low = middle + 1;
  }
  return ends[Math.min(low, ends.length - 1)] ?? now + windowMs(limits.orders);
}
