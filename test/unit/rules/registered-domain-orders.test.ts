import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { createPacking } from '../../../src/kubernetes/packed-objects.ts';
import { packed } from '../../../src/kubernetes/representations.ts';
import { createStore } from '../../../src/kubernetes/store.ts';
import { firstOrdersOfAWeek, orderIndex } from '../../../src/rules/order-ledger/registered-domain-orders.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const day = 24 * 3_600_000;

type Order = NonNullable<HostnameClaim['spec']['orders']>[number];

const order = (request: string, daysAgo: number, changes: Partial<Order> = {}): Order => ({
  request,
  at: new Date(now - daysAgo * day).toISOString(),
  outcome: 'Issued',
  kind: 'First',
  ...changes,
});

const claim = (name: string, orders: readonly Order[]): HostnameClaim => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'HostnameClaim',
  metadata: { name, uid: name, resourceVersion: '1' },
  spec: {
    account: 'acme',
    phase: 'Held',
    epoch: 1,
    holder: { namespace: 'acme', name },
    proof: { method: 'CNAME', at: '2026-11-01T00:00:00Z' },
    orders: [...orders],
  },
});

/** As the operator keeps them. */
function countByIndex(...claims: readonly HostnameClaim[]) {
  const store = createStore<HostnameClaim>({ orders: orderIndex }, () => undefined, packed(createPacking()));
  claims.forEach(store.put);
  return (value: string) => store.countByIndex('orders', value);
}

describe("an account's first orders of a week", () => {
  it.each<[sentence: string, claims: readonly HostnameClaim[], expected: number]>([
    [
      'are counted once each, although a claim is found on every day of its orders',
      [claim('a.test', [order('1', 1), order('2', 2)]), claim('b.test', [order('3', 1), order('4', 3)])],
      4,
    ],
    [
      'are counted where a hostname has several on one day, as whoever orders the same again and again takes its share too',
      [claim('a.test', [order('1', 1), order('2', 1), order('3', 1)]), claim('b.test', [order('4', 1), order('5', 1)])],
      5,
    ],
    [
      'leave out renewals, failures and what is older',
      [claim('a.test', [order('1', 1, { kind: 'Renewal' }), order('2', 1, { outcome: 'Failed' }), order('3', 8)])],
      0,
    ],
    [
      'are those of whole days, so that reading them takes no claim',
      [claim('a.test', [order('1', 7.4), order('2', 7.6)])],
      1,
    ],
    ['are none without an order', [claim('a.test', [])], 0],
  ])('%s', (_, claims, expected) => {
    expect(firstOrdersOfAWeek('acme', countByIndex(...claims), now)).toBe(expected);
  });
});
