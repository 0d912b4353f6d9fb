import { describe, expect, it } from '@jest/globals';
import { decideOrderLedger } from '../../../src/controllers/order-ledger/decide-order-ledger.ts';
import { grantOrders } from '../../../src/controllers/order-ledger/grant-orders.ts';
import type {
  LedgerAccount,
  LedgerCandidate,
  OrderLedgerSnapshot,
} from '../../../src/controllers/order-ledger/order-ledger-snapshot.ts';
import type { OrderLedger } from '../../../src/generated/order-ledger.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import { countingAccounts } from '../../../src/rules/order-ledger/order-limits.ts';
import type { LedgerOrder } from '../../../src/rules/order-ledger/window-usage.ts';
import { now, orderLimits, settings } from '../../support/snapshot.ts';

/** Which account the ledger grants an order for; fails when one that could be ordered with is passed over, or one that cannot is not. */

const minute = 60_000;
const ca = { domains: ['ca.test'], accountUri: null, method: 'http-01', caaProfile: 'strict' } as const;

function accountsOf(changes: Readonly<Record<string, Partial<LedgerAccount>>> = {}): readonly LedgerAccount[] {
  const configured = ['first', 'second'].map((name) => ({ name, server: name, limits: orderLimits, ca }));
  return countingAccounts(configured.map((one) => ({ ...one, away: null, pausedUntil: 0, ...changes[one.name] })));
}

const candidate = (request: string, accounts: readonly LedgerAccount[], changes: Partial<LedgerCandidate> = {}) => ({
  request,
  hostname: `${request}.example`,
  domain: `${request}.example`,
  account: request,
  weight: 1,
  kind: 'First' as const,
  served: 0,
  priority: 0,
  accounts,
  ...changes,
});

const order = (request: string, fields: Partial<LedgerOrder> = {}): LedgerOrder => ({
  request,
  at: timestamp(now - 5 * minute),
  account: request,
  hostname: `${request}.example`,
  domain: `${request}.example`,
  kind: 'First',
  state: 'Issued',
  issuerAccount: 'first',
  ...fields,
});
const many = (count: number, fields: Partial<LedgerOrder> = {}) =>
  Array.from({ length: count }, (_, index) => order(`o${index}`, { at: timestamp(now - 60 * minute), ...fields }));

interface Case {
  readonly accounts?: Readonly<Record<string, Partial<LedgerAccount>>>;
  readonly orders?: readonly LedgerOrder[];
  /** names of the accounts that the first candidate may have; both without */
  readonly permitted?: readonly string[];
  readonly candidate?: Partial<LedgerCandidate>;
}

function granted({ accounts: changes, orders = [], permitted, candidate: fields }: Case): readonly string[] {
  const accounts = accountsOf(changes);
  const open = accounts.filter(({ name }) => permitted === undefined || permitted.includes(name ?? ''));
  const candidates = [candidate('a', open, fields), candidate('b', accounts, fields)];
  const grants = grantOrders({ accounts, candidates, domainOrders: new Map(), now }, orders);
  return grants.map(({ request, issuerAccount = '' }) => `${request} ${issuerAccount}`).toSorted();
}

const full = { orders: { count: 10, seconds: 10_800 } };

describe('the ledger grants orders', () => {
  it.each<[string, Case, readonly string[]]>([
    ['for the preferred account', {}, ['a first', 'b first']],
    ['for the next where CAA permits that alone', { permitted: ['second'] }, ['a second', 'b first']],
    ['for the next while the first is down', { accounts: { first: { away: 'Down' } } }, ['a second', 'b second']],
    [
      'for the next while the first cannot be used',
      { accounts: { first: { away: 'Unusable' } } },
      ['a second', 'b second'],
    ],
    [
      'for the next while the first pauses',
      { accounts: { first: { pausedUntil: now + minute } } },
      ['a second', 'b second'],
    ],
    [
      'not at all where CAA permits the first alone, which is down',
      { accounts: { first: { away: 'Down' } }, permitted: ['first'] },
      ['b second'],
    ],
    [
      'one for the first as it answers again, to find out, and the others for the next',
      { accounts: { first: { pausedUntil: now - 1_000 } } },
      ['a first', 'b second'],
    ],
    [
      'for the first alone once that one was issued',
      { accounts: { first: { pausedUntil: now - minute } }, orders: [order('p', { at: timestamp(now - 30_000) })] },
      ['a first', 'b first'],
    ],
    [
      'for the next where the window of the first is used up, which counts its own orders alone',
      { accounts: { first: { limits: { ...orderLimits, ...full } } }, orders: many(10) },
      ['a second', 'b second'],
    ],
    ['as if the next had none of the orders of the first', { orders: many(300) }, ['a second', 'b second']],
    [
      'of a payer that has used its share of the first for none: it would have a share of each',
      { orders: many(160, { account: 'greedy' }), candidate: { account: 'greedy', served: 160 } },
      [],
    ],
  ])('%s', (_, given, expected) => {
    expect(granted(given)).toEqual(expected);
  });
});

// Would fail if an import were granted all of its orders at once: a grant is usable for 90 s, and its holders are visited one after the other.
it('no more grants of a payer are out than it can use, those that are used make room, and others do not wait for that', () => {
  const wide = { ...orderLimits, orders: { count: 2_500, seconds: 300 } };
  const accounts = accountsOf({ first: { limits: wide }, second: { limits: wide } });
  const importer = { account: 'importer' };
  const candidates = [
    ...Array.from({ length: 500 }, (_, index) => candidate(`c${index}`, accounts, importer)),
    candidate('neighbour', accounts),
  ];
  const grantsAfter = (orders: readonly LedgerOrder[]) => {
    const grants = grantOrders({ accounts, candidates, domainOrders: new Map(), now }, orders);
    return [grants.filter(({ account }) => account === 'importer').length, grants.length];
  };
  const recent = (count: number, state: LedgerOrder['state']) =>
    many(count, { ...importer, state, at: timestamp(now - 1_000) });
  expect(grantsAfter([])).toEqual([100, 101]);
  expect(grantsAfter(recent(70, 'Granted'))).toEqual([30, 31]);
  expect(grantsAfter(recent(100, 'Granted'))).toEqual([0, 1]);
  expect(grantsAfter(recent(100, 'Pending'))).toEqual([100, 101]);
});

const ledgerWith = (...orders: readonly LedgerOrder[]): OrderLedger => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'OrderLedger',
  metadata: { name: 'ca', resourceVersion: '1' },
  spec: { orders: [...orders] },
});

const decided = (changes: Partial<OrderLedgerSnapshot>): OrderLedger['spec'] | undefined => {
  const { writes } = decideOrderLedger({
    now,
    settings,
    ledger: undefined,
    accounts: accountsOf(),
    recorded: new Map(),
    unknownOrders: [],
    candidates: [],
    waiting: 0,
    domainOrders: new Map(),
    ...changes,
  });
  const [write] = writes;
  return write?.verb === 'replace' || write?.verb === 'create' ? (write.object as OrderLedger).spec : undefined;
};

describe('an order that went on with another account', () => {
  const before = order('a', { state: 'Granted', at: timestamp(now - minute), placed: 6 });
  const entry = { request: 'a', at: timestamp(now - minute), outcome: 'Pending' as const, issuerAccount: 'second' };
  const recorded = new Map([['a', entry]]);
  const after = decided({ ledger: ledgerWith(before), recorded });

  it('counts for both: it may have been placed with the first, as often as was tried', () => {
    expect(after?.orders?.map(({ issuerAccount, state }) => [issuerAccount, state])).toEqual([
      ['first', 'Pending'],
      ['second', 'Pending'],
    ]);
    expect(after?.accounts).toEqual([
      { name: 'first', used: 6, left: 294 },
      { name: 'second', used: 1, left: 299 },
    ]);
  });

  it('is written once: nothing changes as the ledger is looked at again', () => {
    expect(decided({ ledger: { ...ledgerWith(), spec: { ...after } }, recorded })).toBeUndefined();
  });
});

describe('the ledger of several accounts', () => {
  it('says until when each waits, and of all together only while all do', () => {
    const until = timestamp(now + minute);
    const accounts = accountsOf({ first: { pausedUntil: now + minute }, second: { away: 'Down' } });
    const spec = decided({ accounts, candidates: [candidate('a', accounts)], waiting: 1 });
    expect(spec?.accounts).toEqual([
      { name: 'first', used: 0, left: 300, waitsUntil: until },
      { name: 'second', used: 0, left: 300, away: 'Down' },
    ]);
    expect(spec?.waitsUntil).toBeUndefined();
  });
});
