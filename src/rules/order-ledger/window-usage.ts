import type { OrderLedger } from '../../generated/order-ledger.ts';
import type { OrderLimits } from './order-limits.ts';
import { windowMs } from './order-limits.ts';

/** One order of the issuer, as recorded in its OrderLedger. */
export type LedgerOrder = NonNullable<OrderLedger['spec']['orders']>[number];

/** What has been used of the issuer's window. */
export interface WindowUsage {
  readonly used: number;
  readonly renewals: number;
  readonly platform: number;
  /** orders other than renewals in the last sixth of the window */
  readonly recent: number;
  /** first orders by account id; platform hostnames under their account with a prefix */
  readonly byAccount: ReadonlyMap<string, number>;
  /** first orders by registered domain */
  readonly byDomain: ReadonlyMap<string, number>;
  /** outcomes of first orders by account id: [failed, issued] */
  readonly outcomes: ReadonlyMap<string, readonly [number, number]>;
}

/** Whose share an order uses: platform hostnames have a share of their own beside the account's. */
export const payer = ({ account, kind }: Pick<LedgerOrder, 'account' | 'kind'>): string =>
  kind === 'Platform' ? `platform ${account}` : account;

/** The orders that still count. */
export const inWindow = <O extends Pick<LedgerOrder, 'at'>>(
  orders: readonly O[],
  limits: Pick<OrderLimits, 'orders'>,
  now: number,
): readonly O[] => {
  const since = now - windowMs(limits.orders);
  return orders.filter(({ at }) => Date.parse(at) > since);
};

/** The part of the window, in milliseconds, in which only half of the free orders may be used. */
export const paceOf = ({ orders }: Pick<OrderLimits, 'orders'>): number => windowMs(orders) / 6;

/** Counts the orders that are in the window at a moment. */
export function windowUsage(orders: readonly LedgerOrder[], limits: OrderLimits, now: number): WindowUsage {
  const live = inWindow(orders, limits, now).flatMap(asOftenAsPlaced);
  const counted = live.filter(({ kind }) => kind !== 'Renewal');
  const customers = counted.filter(({ kind }) => kind === 'First');
  const outcomes = new Map<string, readonly [number, number]>();
  for (const { account, state } of customers) {
    const [failed, issued] = outcomes.get(account) ?? [0, 0];
    if (state === 'Failed') outcomes.set(account, [failed + 1, issued]);
    if (state === 'Issued') outcomes.set(account, [failed, issued + 1]);
  }
  return {
    used: live.length,
    renewals: live.length - counted.length,
    platform: counted.length - customers.length,
    recent: counted.filter(({ at }) => Date.parse(at) > now - paceOf(limits)).length,
    byAccount: countBy(counted, payer),
    byDomain: countBy(customers, ({ domain }) => domain),
    outcomes,
  };
}

/** One whose process ended while it was placed may have come to the authority twice. */
const asOftenAsPlaced = (order: LedgerOrder): readonly LedgerOrder[] =>
  Array.from({ length: order.placed ?? 1 }, () => order);

/** What a ledger's entry says of an order that was placed so often; undefined where nobody counted. */
export const placedTimes = (times = 1): Pick<LedgerOrder, 'placed'> => (times > 1 ? { placed: times } : {});

/** How many orders those are at the authority. */
export const countPlaced = (orders: readonly Pick<LedgerOrder, 'placed'>[]): number =>
  orders.reduce((sum, { placed = 1 }) => sum + placed, 0);

/** How many there are of each key. */
export const countBy = <O>(orders: readonly O[], keyOf: (order: O) => string): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(orders, keyOf)].map(([key, all]) => [key, all.length]));
