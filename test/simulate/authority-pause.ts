import { timestamp } from '../../src/rules/conditions.ts';
import type { AuthorityPause } from '../../src/rules/order-ledger/authority-probe.ts';
import { authorityOpenness, grantsAtOnce } from '../../src/rules/order-ledger/authority-probe.ts';
import { authorityRetryAfter } from '../../src/rules/order-ledger/authority-retry-after.ts';
import type { OrderOutcome } from './certificate-authority.ts';
import { refusalMessage } from './certificate-authority.ts';

/** The pauses of the ACME account, as the operator learns of them from its refused orders. */
export interface SimulatedPause {
  ordered(outcome: OrderOutcome, now: number): void;
  /** how many orders may be granted now */
  grantsAtOnce(now: number): number;
}

export function createAuthorityPause(): SimulatedPause {
  let until = 0;
  /** the first order after the pause, which is all that decides */
  let orders: AuthorityPause['orders'] = [];
  return {
    ordered(outcome, now) {
      if (outcome === 'Refused') {
        until = Math.max(until, authorityRetryAfter(refusalMessage, now)?.until ?? 0);
        orders = [];
      } else if (orders.length === 0) orders = [{ at: timestamp(now), state: outcome }];
    },
    grantsAtOnce: (now) => grantsAtOnce[authorityOpenness({ until, orders }, now)],
  };
}
