import { describe, expect, it } from '@jest/globals';
import { allocateOrders } from '../../../../src/rules/order-ledger/allocation.ts';
import type { OrderCandidate } from '../../../../src/rules/order-ledger/allocation.ts';
import type { OrderLimits } from '../../../../src/rules/order-ledger/order-limits.ts';
import type { LedgerOrder } from '../../../../src/rules/order-ledger/window-usage.ts';
import { windowUsage } from '../../../../src/rules/order-ledger/window-usage.ts';
import { issuerWait } from '../../../../src/rules/order-ledger/fair-share.ts';
import { ledgerOrder, now, orderLimits } from '../../../support/snapshot.ts';

const minute = 60_000;

/** An account with this many names, each below a registered domain of its own unless one is given. */
const wanting = (account: string, count: number, changes: Partial<OrderCandidate> = {}): readonly OrderCandidate[] =>
  Array.from({ length: count }, (_, index) => ({
    request: `${account}-${index}`,
    hostname: `www.${account}-${index}.example`,
    domain: `${account}-${index}.example`,
    account,
    weight: 1,
    kind: 'First',
    priority: index,
    served: 0,
    ...changes,
  }));

const ordersOf = (account: string, count: number, changes: Partial<LedgerOrder> = {}): readonly LedgerOrder[] =>
  Array.from({ length: count }, (_, index) =>
    ledgerOrder({ account, request: `${account}-before-${index}`, domain: `${account}-${index}.test`, ...changes }),
  );

/** Orders that each account gets at once. */
function shares(
  candidates: readonly OrderCandidate[],
  before: readonly LedgerOrder[] = [],
  limits: OrderLimits = orderLimits,
): Readonly<Record<string, number>> {
  const granted = allocateOrders(candidates, {
    tally: windowUsage(before, limits, now),
    domainTimes: () => [],
    limits,
    now,
  });
  return Object.fromEntries(
    Map.groupBy(granted, ({ account }) => account)
      .entries()
      .map(([name, all]) => [name, all.length]),
  );
}

/** What each account got after all sixths of a window, when everybody goes on wanting more. */
function sharesOfWindow(candidates: readonly OrderCandidate[]): Readonly<Record<string, number>> {
  let [orders, left, time]: [readonly LedgerOrder[], readonly OrderCandidate[], number] = [[], candidates, now];
  for (let sixth = 0; sixth < 5; sixth += 1, time += 31 * minute) {
    const tally = windowUsage(orders, orderLimits, time);
    const granted = allocateOrders(left, { tally, domainTimes: () => [], limits: orderLimits, now: time });
    const at = new Date(time).toISOString();
    orders = [...orders, ...granted.map((candidate) => ledgerOrder({ ...candidate, at, state: 'Pending' }))];
    left = left.filter((candidate) => !granted.includes(candidate));
  }
  return Object.fromEntries(
    Map.groupBy(orders, ({ account }) => account)
      .entries()
      .map(([name, all]) => [name, all.length]),
  );
}

describe('300 orders in three hours, 60 of them kept for renewals', () => {
  it('one account with 10,000 names gets half of what is free and leaves the other half', () => {
    expect(shares(wanting('hog', 10_000))).toEqual({ hog: 120 });
  });

  it('two get a third each', () => {
    expect(sharesOfWindow([...wanting('a', 10_000), ...wanting('b', 10_000)])).toEqual({ a: 80, b: 80 });
  });

  it('who comes after ten of them has its names at once', () => {
    const hogs = Array.from({ length: 10 }, (_, index) => wanting(`hog${index}`, 1_000)).flat();
    const first = shares(hogs);
    const at = new Date(now - 40 * minute).toISOString();
    const used = Object.entries(first).flatMap(([account, count]) => ordersOf(account, count, { at }));
    expect(shares([...hogs, ...wanting('shop', 3)], used).shop).toBe(3);
  });

  it('who had least in a week goes first', () => {
    const heavy = wanting('heavy', 10, { served: 40, priority: 0 });
    const granted = allocateOrders([...heavy, ...wanting('light', 1, { priority: 9 })], {
      tally: windowUsage([], orderLimits, now),
      domainTimes: () => [],
      limits: orderLimits,
      now,
    });
    expect(granted[0]?.account).toBe('light');
  });

  it.each<[string, number, number]>([
    ['four accounts of a small plan', 4, 1],
    ['one of a plan at four times the price', 1, 4],
  ])('%s have 80 percent of what is free: splitting gains nothing', (_, accounts, weight) => {
    const names = Array.from({ length: accounts }, (__, index) => wanting(`part${index}`, 1_000, { weight })).flat();
    const sum = Object.values(sharesOfWindow(names)).reduce((total, count) => total + count, 0);
    expect(sum).toBe(192);
  });

  it('many accounts below one registered domain have what one account has, and the limit of the domain', () => {
    const limits = { ...orderLimits, registeredDomain: { count: 1_000, seconds: 604_800 } };
    const names = Array.from({ length: 20 }, (_, index) =>
      wanting(`part${index}`, 100, { domain: 'agency.example' }),
    ).flat();
    const sum = (given: OrderLimits) =>
      Object.values(shares(names, [], given)).reduce((total, count) => total + count, 0);
    expect([sum(limits), sum(orderLimits)]).toEqual([120, 50]);
  });

  it('an account whose orders all fail keeps an eighth of its share', () => {
    const failing = ordersOf('hog', 8, { state: 'Failed' });
    expect(shares(wanting('hog', 100), failing).hog ?? 0).toBeLessThanOrEqual(20);
    expect(shares(wanting('shop', 100), failing).shop).toBe(100);
  });

  it('renewals go first, use all that is left, and take turns by account', () => {
    const used = ordersOf('a', 240);
    const renewals = [...wanting('a', 100, { kind: 'Renewal' }), ...wanting('b', 5, { kind: 'Renewal' })];
    expect(shares([...wanting('c', 10), ...renewals], used)).toEqual({ a: 55, b: 5 });
  });

  it('platform hostnames have a fifth of the orders, and one account half of that', () => {
    expect(
      shares(wanting('free', 1_000, { kind: 'Platform', domain: 'apps.example' }), [], {
        ...orderLimits,
        registeredDomain: { count: 1_000, seconds: 604_800 },
      }),
    ).toEqual({ free: 30 });
  });

  it('a plan without weight orders nothing', () => {
    expect(shares(wanting('free', 10, { weight: 0 }))).toEqual({});
  });
});

describe('until when an order waits', () => {
  const [candidate] = wanting('shop', 1);
  if (!candidate) throw new Error('there is a candidate');
  const agoOf = (index: number) => new Date(now - (170 - index) * minute).toISOString();

  it('for the oldest order to leave a full window', () => {
    const orders = Array.from({ length: 240 }, (_, index) =>
      ledgerOrder({ account: `a${index}`, domain: `a${index}.test`, at: agoOf(index / 2) }),
    );
    const wait = issuerWait({ orders, authorityPauseUntil: 0 }, orderLimits, candidate, now);
    expect(wait).toEqual({ reason: 'LedgerIssuerFull', until: now + 12 * minute });
  });

  it('for its own orders to leave its share', () => {
    const orders = ordersOf('shop', 120, { at: agoOf(0) });
    const wait = issuerWait({ orders, authorityPauseUntil: 0 }, orderLimits, candidate, now);
    expect(wait).toEqual({ reason: 'LedgerShareUsed', until: now + 12 * minute });
  });

  it('for the authority, whatever is free', () => {
    expect(issuerWait({ orders: [], authorityPauseUntil: now + minute }, orderLimits, candidate, now)).toEqual({
      reason: 'AuthoritySaysWait',
      until: now + minute,
    });
  });
});
