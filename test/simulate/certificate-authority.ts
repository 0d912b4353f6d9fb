import type { OrderLimits } from '../../src/rules/order-ledger/order-limits.ts';
import type { SimulatedFault } from './simulated-faults.ts';
import { authorityRefuses, dnsAt } from './simulated-faults.ts';

/** How the authority answers an order; a refusal names no time, as one of an overloaded authority. */
export type OrderOutcome = 'Issued' | 'Failed' | 'Refused';

/** What cert-manager writes of an order that the authority refused (Boulder's text of an overload). */
export const refusalMessage =
  'Failed to wait for order resource "order" to become ready: order is in "errored" state: Failed to create Order: 429 urn:ietf:params:acme:error:rateLimited: Service busy; retry later.';

/** A certificate authority that keeps its limit of orders on its own. */
export interface SimulatedAuthority {
  order(name: number, now: number): OrderOutcome;
  /** orders beyond its limit */
  readonly violations: number;
  /** most orders in one of its windows */
  readonly busiest: number;
}

export function createAuthority(faults: readonly SimulatedFault[], { orders }: OrderLimits): SimulatedAuthority {
  const window = orders.seconds * 1_000;
  let times: number[] = [];
  let left = 0;
  let [violations, busiest] = [0, 0];
  return {
    order(name, now) {
      for (; (times[left] ?? now) <= now - window; left += 1);
      if (left > 100_000) {
        times = times.slice(left);
        left = 0;
      }
      times.push(now);
      busiest = Math.max(busiest, times.length - left);
      if (times.length - left > orders.count) violations += 1;
      if (authorityRefuses(faults, now)) return 'Refused';
      return dnsAt(faults, name, now) === 'yes' ? 'Issued' : 'Failed';
    },
    get violations() {
      return violations;
    },
    get busiest() {
      return busiest;
    },
  };
}
