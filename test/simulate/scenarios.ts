import type { OrderLimits } from '../../src/rules/order-ledger/order-limits.ts';

export interface LifetimeScenario {
  readonly lifetimeDays: number;
  readonly limits: OrderLimits;
}

/** Today's lifetime at Let's Encrypt, the one announced for 2027 and 2028, and its short-lived profile. */
const lifetimes = [90, 45, 6] as const;

/** Room beside the renewals of an even year: for first orders, and to catch up after a fault. */
const headroom = 1.5;

/** Orders of one window of the authority that renew so many names again and again. */
export const steadyOrders = (size: number, lifetimeDays: number, { orders }: OrderLimits): number =>
  (size / (lifetimeDays * (2 / 3) * 86_400)) * orders.seconds;

/** For each lifetime the limit that an installation of so many names needs from its authority. */
export const scenariosOf = (size: number, limits: OrderLimits): readonly LifetimeScenario[] =>
  lifetimes.map((lifetimeDays) => {
    const count = Math.max(limits.orders.count, Math.ceil(steadyOrders(size, lifetimeDays, limits) * headroom));
    return { lifetimeDays, limits: { ...limits, orders: { ...limits.orders, count } } };
  });

/** The names that a limit of orders renews with the same room beside. */
export const namesWithin = (lifetimeDays: number, limits: OrderLimits): number =>
  Math.floor(limits.orders.count / (steadyOrders(1, lifetimeDays, limits) * headroom));
