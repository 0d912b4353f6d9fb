import { describe, expect, it } from '@jest/globals';
import { orderWait } from '../../../../src/issuing/order-wait.ts';
import type { OrderCandidate } from '../../../../src/rules/order-ledger/allocation.ts';
import { allocateOrders } from '../../../../src/rules/order-ledger/allocation.ts';
import type { PlaceInQueue } from '../../../../src/rules/order-ledger/expected-turn.ts';
import { turnInWindow } from '../../../../src/rules/order-ledger/expected-turn.ts';
import { roomAfter, windowMs } from '../../../../src/rules/order-ledger/order-limits.ts';
import type { LedgerOrder } from '../../../../src/rules/order-ledger/window-usage.ts';
import { windowUsage } from '../../../../src/rules/order-ledger/window-usage.ts';
import { accountsWith, ledgerOrder, now, orderLimits } from '../../../support/snapshot.ts';

/** What tells people a time that their order does not keep: too early for all but the first in a long queue. */

const minute = 60_000;
const day = 24 * 60 * minute;
const window = windowMs(orderLimits.orders);

interface Waiting {
  readonly account: string;
  readonly names: number;
  readonly weight: number;
}

interface Turn {
  readonly account: string;
  /** milliseconds since the Unix epoch */
  readonly said: number;
  readonly granted: number;
}

/** When the ledger grants each name of some accounts that all came at once, and when it was said to. */
function turns(waiting: readonly Waiting[]): readonly Turn[] {
  const weights = waiting.reduce((sum, { weight }) => sum + weight, 0);
  const said = new Map<string, number>();
  let left: readonly OrderCandidate[] = waiting.flatMap(({ account, names, weight }) =>
    Array.from({ length: names }, (_, before) => {
      const competition = { before, weights, failing: 0 };
      const request = `${account}-${before}`;
      said.set(request, turnInWindow(now, orderLimits, { weight, kind: 'First' }, competition));
      const domain = `${request}.example`;
      return { request, hostname: domain, domain, account, weight, kind: 'First', served: 0, priority: before };
    }),
  );
  const found: Turn[] = [];
  let orders: readonly LedgerOrder[] = [];
  for (let time = now; left.length > 0 && time < now + 30 * day; time += 5 * minute) {
    const given = {
      tally: windowUsage(orders, orderLimits, time),
      domainTimes: () => [],
      limits: orderLimits,
      now: time,
    };
    const granted = new Set(allocateOrders(left, given));
    const served = Map.groupBy([...found.map(({ account }) => ({ account })), ...granted], ({ account }) => account);
    left = left
      .filter((candidate) => !granted.has(candidate))
      .map((candidate) => ({ ...candidate, served: served.get(candidate.account)?.length ?? 0 }));
    const at = new Date(time).toISOString();
    orders = [...orders, ...[...granted].map((candidate) => ledgerOrder({ ...candidate, at }))];
    for (const { request, account } of granted) found.push({ account, said: said.get(request) ?? 0, granted: time });
  }
  return found;
}

describe('when the turn of a request comes that many of its account wait before', () => {
  it.each<[string, readonly Waiting[]]>([
    ['one account with a thousand names', [{ account: 'a', names: 1_000, weight: 1 }]],
    ['ten alike', Array.from({ length: 10 }, (_, index) => ({ account: `a${index}`, names: 200, weight: 1 }))],
    [
      'a large plan beside two small ones',
      [
        { account: 'small', names: 200, weight: 1 },
        { account: 'little', names: 200, weight: 1 },
        { account: 'large', names: 800, weight: 4 },
      ],
    ],
  ])('%s: the ledger grants every one within a window of what was said', (_, waiting) => {
    const all = turns(waiting);
    expect(all).toHaveLength(waiting.reduce((sum, { names }) => sum + names, 0));
    expect(Math.max(...all.map(({ said, granted }) => Math.abs(said - granted)))).toBeLessThanOrEqual(window);
  });

  it('orders that fail are made again, so every turn comes later', () => {
    const at = (failing: number) =>
      turnInWindow(now, orderLimits, { weight: 1, kind: 'First' }, { before: 100, weights: 1, failing }) - now;
    expect(at(1 / 3)).toBe(Math.round(at(0) * 1.5));
    expect(at(1)).toBe(at(0) * 2);
  });
});

describe('when the turn below a registered domain comes that is at its limit', () => {
  const limit = { count: 3, seconds: 7 * 86_400 };
  const length = windowMs(limit);
  const times = [now - 6 * day, now - 5 * day, now - 4 * day];

  it.each<[string, readonly number[], number, number]>([
    ['the first takes the place of the oldest order', times, 0, now - 6 * day + length],
    ['the third that of the latest', times, 2, now - 4 * day + length],
    ['the fourth that of the first a window later', times, 3, now - 6 * day + 2 * length],
    [
      'of more orders than are allowed only the latest make room',
      [now - 6.5 * day, ...times],
      0,
      now - 6 * day + length,
    ],
    ['who still finds one free waits for nothing', times.slice(1), 0, now],
    ['who comes after that one takes the place of the oldest', times.slice(1), 1, now - 5 * day + length],
    ['what left the window counts no longer', [now - 8 * day, ...times.slice(1)], 0, now],
  ])('%s', (_, placed, before, expected) => {
    expect(roomAfter(placed, limit, before, now)).toBe(expected);
  });
});

describe('what a request is told', () => {
  const payer = { account: 'acc-acme', domain: 'example.com', weight: 1, kind: 'First', served: 900 } as const;
  const used = Array.from({ length: 120 }, (_, index) =>
    ledgerOrder({ request: `u${index}`, domain: `d${index}.example`, at: new Date(now - 120 * minute).toISOString() }),
  );
  const ledger = {
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'OrderLedger',
    metadata: { name: 'ca' },
    spec: { orders: used, waitingWeight: 1 },
  } as const;
  const below = new Map(Array.from({ length: 50 }, (_, index) => [`u${index}`, { at: now - index * minute }]));
  const told = (place: PlaceInQueue, orders: ReadonlyMap<string, { at: number }> = new Map()) =>
    orderWait({ ledger, domain: { orders, pauses: [] }, place, accounts: accountsWith(orderLimits) }, payer, now, now);

  it('the later it came the later a time, by the account’s own part of a window', () => {
    const first = told({ inAccount: 0, inDomain: 0 });
    const later = told({ inAccount: 120, inDomain: 0 });
    expect(first?.reason).toBe('LedgerShareUsed');
    expect((later?.until ?? 0) - (first?.until ?? 0)).toBe(window);
  });

  it('below a registered domain at its limit only those count that wait for the same', () => {
    const first = told({ inAccount: 5_000, inDomain: 0 }, below);
    const later = told({ inAccount: 5_000, inDomain: 50 }, below);
    expect(first?.reason).toBe('LedgerDomainFull');
    expect((later?.until ?? 0) - (first?.until ?? 0)).toBe(windowMs(orderLimits.registeredDomain));
  });
});
