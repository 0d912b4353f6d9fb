import type { OrderClass, OrderLimits } from './order-limits.ts';
import type { WindowUsage } from './window-usage.ts';

/** Who asks for an order, as far as sharing the window goes. */
export interface Payer {
  readonly account: string;
  /** registered domain of the hostname */
  readonly domain: string;
  /** of the account's plan */
  readonly weight: number;
  readonly kind: OrderClass;
  /** first orders of a week: the account's, or those below the registered domain where they are more */
  readonly served: number;
}

const percentOf = (count: number, percent: number): number => Math.floor((count * percent) / 100);

/** Orders that are left to renewals: all that the window still holds. */
const freeForRenewals = ({ used }: WindowUsage, { orders }: OrderLimits): number => orders.count - used;

/** Orders that are left to customers' first ones: what renewals have not used of their reserve is kept for them. */
function freeForFirst(tally: WindowUsage, { orders, renewalReserve }: OrderLimits): number {
  const reserve = Math.max(0, percentOf(orders.count, renewalReserve) - tally.renewals);
  return orders.count - tally.used - reserve;
}

/** Platform hostnames have a part of the window, and never more than it. */
const freeForPlatform = (tally: WindowUsage, limits: OrderLimits): number =>
  Math.min(freeForFirst(tally, limits), percentOf(limits.orders.count, limits.platformPercent) - tally.platform);

const free: Readonly<Record<OrderClass, (tally: WindowUsage, limits: OrderLimits) => number>> = {
  Renewal: freeForRenewals,
  First: freeForFirst,
  Platform: freeForPlatform,
};

/** Orders that the window has left for a class; below one there is none. */
export const freeFor = (tally: WindowUsage, limits: OrderLimits, kind: OrderClass): number => free[kind](tally, limits);

/** Judged by fewer outcomes than this an account is trusted. */
const enoughOutcomes = 4;
const leastTrust = 1 / 8;

/** 1 for an account at least half of whose orders end in a certificate, down to an eighth for one whose all fail. */
function trust(tally: WindowUsage, account: string): number {
  const [failed, issued] = tally.outcomes.get(account) ?? [0, 0];
  if (failed + issued < enoughOutcomes) return 1;
  return Math.min(1, Math.max(leastTrust, (2 * issued) / (failed + issued)));
}

/** The weight that counts: platform hostnames weigh the same for every plan. */
export const shareOf = (tally: WindowUsage, { kind, weight, account }: Payer): number =>
  kind === 'Platform' ? 1 : weight * trust(tally, account);

/** What an account, or the accounts that share a registered domain, have used of the window. */
function usedBy(tally: WindowUsage, { kind, account, domain }: Payer): number {
  if (kind === 'Platform') return tally.byAccount.get(`platform ${account}`) ?? 0;
  return Math.max(tally.byAccount.get(account) ?? 0, tally.byDomain.get(domain) ?? 0);
}

/** First orders in a week that are little for an account, for each unit of its weight. */
const little = 5;

const isLight = (tally: WindowUsage, payer: Payer): boolean =>
  usedBy(tally, payer) === 0 && payer.served < little * payer.weight;

/**
 * Has the window an order for this payer right now? Whoever had little for a week and none of it yet needs only one that is free. Of the others
 * only half of what is free goes in any sixth of the window: so however many want orders at once, they do not all leave the
 * window at once either, and what comes free goes to who comes next.
 */
export function isOpen(tally: WindowUsage, limits: OrderLimits, payer: Payer): boolean {
  if (freeFor(tally, limits, payer.kind) < 1) return false;
  return payer.kind === 'Renewal' || isLight(tally, payer) || tally.recent < freeForFirst(tally, limits);
}

/**
 * May it have one more of the window? An account uses at most its weight times what it leaves free (the dynamic threshold
 * of Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998): one of weight 1 alone half of the window, two
 * of them a third each. So whoever comes always finds room, and weights add up: many accounts have together what one of
 * the sum of their weights has. Renewals are not shared: they come once in a certificate's lifetime.
 */
export function isWithinShare(tally: WindowUsage, limits: OrderLimits, payer: Payer): boolean {
  if (payer.kind === 'Renewal') return true;
  return usedBy(tally, payer) < shareOf(tally, payer) * freeFor(tally, limits, payer.kind);
}
