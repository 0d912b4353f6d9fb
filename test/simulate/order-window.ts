import type { OrderClass, OrderLimits } from '../../src/rules/order-ledger/order-limits.ts';
import { windowMs } from '../../src/rules/order-ledger/order-limits.ts';
import type { WindowUsage } from '../../src/rules/order-ledger/window-usage.ts';
import { paceOf, payer } from '../../src/rules/order-ledger/window-usage.ts';

/** An order in the issuer's window. */
interface WindowOrder {
  /** milliseconds */
  readonly at: number;
  readonly kind: OrderClass;
  readonly account: string;
  readonly domain: string;
  readonly outcome: 'Issued' | 'Failed';
}

/**
 * The usage of an issuer's window, counted with each order that enters or leaves it. `windowUsage` counts the whole
 * window anew, which takes too long for the hundred million orders of a simulation; a test holds the two to each other.
 */
export interface OrderWindow {
  add(order: WindowOrder): void;
  /** What is used at a moment, which is never earlier than the one before. */
  usageAt(now: number): WindowUsage;
}

export function createOrderWindow(limits: OrderLimits): OrderWindow {
  const orders: WindowOrder[] = [];
  let [left, leftPace] = [0, 0];
  const counts = { used: 0, renewals: 0, platform: 0, recent: 0 };
  const byAccount = new Map<string, number>();
  const byDomain = new Map<string, number>();
  const outcomes = new Map<string, readonly [number, number]>();

  const change = (map: Map<string, number>, key: string, by: number) => {
    const count = (map.get(key) ?? 0) + by;
    if (count === 0) map.delete(key);
    else map.set(key, count);
  };
  const changeOutcome = ({ account, outcome }: WindowOrder, by: number) => {
    const [failed, issued] = outcomes.get(account) ?? [0, 0];
    const changed = outcome === 'Failed' ? ([failed + by, issued] as const) : ([failed, issued + by] as const);
    if (changed[0] + changed[1] === 0) outcomes.delete(account);
    else outcomes.set(account, changed);
  };
  const count = (order: WindowOrder, by: 1 | -1) => {
    counts.used += by;
    if (order.kind === 'Renewal') {
      counts.renewals += by;
      return;
    }
    change(byAccount, payer(order), by);
    if (order.kind === 'Platform') {
      counts.platform += by;
      return;
    }
    change(byDomain, order.domain, by);
    changeOutcome(order, by);
  };
  const pace = (order: WindowOrder | undefined, by: 1 | -1) => {
    if (order && order.kind !== 'Renewal') counts.recent += by;
  };
  const forget = () => {
    if (left < 100_000) return;
    orders.splice(0, left);
    leftPace -= left;
    left = 0;
  };

  return {
    add(order) {
      orders.push(order);
      count(order, 1);
      pace(order, 1);
    },
    usageAt(now) {
      const since = { window: now - windowMs(limits.orders), pace: now - paceOf(limits) };
      for (let order = orders[left]; order && order.at <= since.window; order = orders[left]) {
        count(order, -1);
        left += 1;
      }
      for (let order = orders[leftPace]; order && order.at <= since.pace; order = orders[leftPace]) {
        pace(order, -1);
        leftPace += 1;
      }
      forget();
      return { ...counts, byAccount, byDomain, outcomes };
    },
  };
}
