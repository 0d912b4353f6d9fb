import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { ordersOnClaims } from '../../../src/controllers/order-ledger/order-usage.ts';
import { gatherOrderLedger } from '../../../src/controllers/order-ledger/order-ledger-snapshot.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { now, settings, routes } from '../../support/snapshot.ts';

/** What is read off the claims where an installation has lost its order ledger. */

const limits = { ...settings.orderLimits, orders: { count: 300, seconds: 10_800 } };
const hour = 3_600_000;
const ago = (ms: number) => new Date(now - ms).toISOString();

type Order = NonNullable<HostnameClaim['spec']['orders']>[number];
const order = (request: string, ms: number, rest: Partial<Order> = {}): Order => ({
  request,
  at: ago(ms),
  outcome: 'Issued',
  ...rest,
});

const claim = (name: string, orders: readonly Order[], method: 'CNAME' | 'Platform' = 'CNAME'): HostnameClaim => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'HostnameClaim',
  metadata: { name, uid: name, resourceVersion: '1' },
  spec: {
    account: 'id-acme',
    holder: { namespace: 'acme', name },
    phase: 'Held',
    epoch: 1,
    proof: { method, at: ago(hour) },
    orders: [...orders],
  },
});

const availability = () => ({ away: null, answersSince: 0 });

describe('orders that only claims know of', () => {
  it.each<[what: string, why: string, claim: HostnameClaim, found: readonly object[]]>([
    ['one of an hour ago', 'it counts for three hours', claim('www.a.test', [order('r', hour)]), [{ request: 'r' }]],
    ['one of a day ago', 'the authority has long forgotten it', claim('www.a.test', [order('r', 24 * hour)]), []],
    [
      'two of one name',
      'each of them counts',
      claim('www.a.test', [order('old', 24 * hour), order('r', hour), order('s', 0)]),
      [{ request: 'r' }, { request: 's' }],
    ],
    [
      'of a customer',
      'the holder pays, a first one unless it says so',
      claim('www.a.test', [order('r', hour)]),
      [{ account: 'id-acme', hostname: 'www.a.test', domain: 'a.test', kind: 'First', state: 'Issued' }],
    ],
    [
      'a renewal that failed',
      'what it is and became is kept',
      claim('www.a.test', [order('r', hour, { kind: 'Renewal', outcome: 'Failed' })]),
      [{ kind: 'Renewal', state: 'Failed' }],
    ],
    [
      'of a platform hostname',
      "it is outside of the customers' share",
      claim('shop.apps.example.net', [order('r', hour)], 'Platform'),
      [{ kind: 'Platform' }],
    ],
  ])('%s: %s', async (_what, _why, given, found) => {
    const orders = await ordersOnClaims({ values: () => [given] }, limits, now);
    expect(orders).toMatchObject(found);
    expect(orders).toHaveLength(found.length);
  });

  it('are read in slices, however many claims there are, so that others get their turn', async () => {
    const claims = Array.from({ length: 20_000 }, (_, index) => claim(`d${index}.test`, [order(`r${index}`, hour)]));
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await ordersOnClaims({ values: () => claims }, limits, now)).toHaveLength(claims.length);
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(19);
  });

  it('are not read where nobody waits for an order', async () => {
    const stores = createOperatorStores(routes, () => undefined);
    const claims = {
      ...stores.claims,
      values: () => {
        throw new Error('all claims were read for nothing');
      },
    };
    const { unknownOrders, waiting } = await gatherOrderLedger(
      { caches: { ...stores, claims }, settings, availability },
      now,
    );
    expect([unknownOrders, waiting]).toEqual([[], 0]);
  });
});
