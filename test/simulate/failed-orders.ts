import { timestamp } from '../../src/rules/conditions.ts';
import { hours } from '../../src/rules/check-schedule.ts';
import type { OrderEntry } from '../../src/rules/order-ledger/hostname-orders.ts';
import { hostnameWait } from '../../src/rules/order-ledger/hostname-orders.ts';
import type { OrderLimits } from '../../src/rules/order-ledger/order-limits.ts';

/** The orders of each name that failed since its last certificate. */
export interface FailedOrders {
  /** Notes one more; returns when the next may be placed, as cert-manager and the operator both allow it. */
  fail(name: number, now: number): number;
  forget(name: number): void;
}

/** cert-manager pauses an hour after a failed issuance, doubling with each in a row up to 32 hours. */
const firstBackOff = hours;
const longestBackOff = 32 * hours;

/** A claim keeps no more orders than that. */
const kept = 40;

export function createFailedOrders(limits: OrderLimits): FailedOrders {
  const entries = new Map<number, readonly OrderEntry[]>();
  return {
    fail(name, now) {
      const before = entries.get(name) ?? [];
      const entry: OrderEntry = { request: `${name} ${now}`, at: timestamp(now), outcome: 'Failed' };
      const orders = [...before, entry].slice(-kept);
      entries.set(name, orders);
      const backOff = Math.min(longestBackOff, firstBackOff * 2 ** Math.min(before.length, 10));
      return Math.max(now + backOff, hostnameWait(orders, { limits, isHere: () => true }, now)?.until ?? 0);
    },
    forget: (name) => void entries.delete(name),
  };
}
