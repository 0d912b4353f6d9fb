import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../../src/generated/hostname-claim.ts';
import type { OrderEntry } from '../../../../src/rules/order-ledger/hostname-orders.ts';
import {
  orderIndex,
  registeredDomainOrders,
  registeredDomainWait,
} from '../../../../src/rules/order-ledger/registered-domain-orders.ts';
import { now, orderLimits } from '../../../support/snapshot.ts';

/** What sends an order below a registered domain that its authority, which counts certificates as they are issued, refuses. */

const day = 24 * 3_600_000;
const slack = 120_000;
const at = (days: number) => new Date(now - days * day).toISOString();
const limits = { ...orderLimits, registeredDomain: { count: 2, seconds: 7 * 86_400 } };

const claimWith = (name: string, order: Omit<OrderEntry, 'request'>): HostnameClaim => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'HostnameClaim',
  metadata: { name: `${name}.own.example` },
  spec: {
    account: 'acc-acme',
    holder: { namespace: 'acme', name },
    phase: 'Held',
    epoch: 1,
    proof: { method: 'CNAME', at: at(30) },
    orders: [{ request: name, ...order }],
  },
});

/** Whether the next order waits, by the index values that a cache keeps of the claims. */
function waitAfter(...orders: readonly Omit<OrderEntry, 'request'>[]) {
  const claims = orders.map((order, index) => claimWith(`n${index}`, order));
  const byIndex = (value: string) => claims.filter((claim) => orderIndex(claim).includes(value));
  const book = registeredDomainOrders('own.example', byIndex, limits.registeredDomain, now);
  return registeredDomainWait(book, false, { limits, isHere: () => true }, now);
}

describe('orders below one registered domain, two a week', () => {
  const recent = { at: at(1), endedAt: at(1), outcome: 'Issued' } as const;

  it.each<[string, Omit<OrderEntry, 'request'>, number | null]>([
    ['one of eight days ago counts no longer', { at: at(8), endedAt: at(8), outcome: 'Issued' }, null],
    [
      'one of eight days ago whose certificate came five days ago does',
      { at: at(8), endedAt: at(5), outcome: 'Issued' },
      now + 2 * day + slack,
    ],
    [
      'one that is still open has all of its week before it',
      { at: at(6.9), outcome: 'Pending' },
      now + 6 * day + slack,
    ],
    ['one that failed never counts', { at: at(2), endedAt: at(1), outcome: 'Failed' }, null],
    [
      'one of before its end was recorded counts from when it was placed',
      { at: at(3), outcome: 'Issued' },
      now + 4 * day + slack,
    ],
  ])('%s', (_, order, until) => {
    expect(waitAfter(recent, order)).toEqual(until === null ? null : { reason: 'LedgerDomainFull', until });
  });
});
