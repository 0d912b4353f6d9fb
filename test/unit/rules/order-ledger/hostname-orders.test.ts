import { describe, expect, it } from '@jest/globals';
import type { OrderEntry } from '../../../../src/rules/order-ledger/hostname-orders.ts';
import { hostnameWait } from '../../../../src/rules/order-ledger/hostname-orders.ts';
import type { PlacedWith } from '../../../../src/rules/order-ledger/order-limits.ts';
import { now, orderLimits } from '../../../support/snapshot.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** Windows are taken a little longer than the authority's. */
const slack = 2 * minute;
const at = (ago: number) => new Date(now - ago).toISOString();
const orders = (outcome: OrderEntry['outcome'], ...ago: readonly number[]): readonly OrderEntry[] =>
  ago.map((ms, index) => ({ request: `${outcome}${index}`, at: at(ms), outcome }));
const failed = (...minutes: readonly number[]) => orders('Failed', ...minutes.map((count) => count * minute));

const elsewhere = (entries: readonly OrderEntry[]): readonly OrderEntry[] =>
  entries.map((entry) => ({ ...entry, issuerAccount: 'elsewhere' }));
const named = (scope: NonNullable<OrderEntry['scope']>): readonly OrderEntry[] => [
  { request: 'a', at: at(5 * minute), outcome: 'Pending', scope, waitsUntil: new Date(now + day).toISOString() },
];
const alone = { limits: orderLimits, isHere: () => true };

describe('what the orders of one name say to the next', () => {
  it.each<[string, readonly OrderEntry[], ReturnType<typeof hostnameWait>]>([
    ['no orders, no waiting', [], null],
    ['a failure waits five minutes', failed(1), { reason: 'IssuanceLimited', until: now + 4 * minute }],
    ['and not a minute longer', failed(5), null],
    ['the second in a row ten', failed(30, 1), { reason: 'IssuanceLimited', until: now + 9 * minute }],
    ['the fourth forty', failed(90, 80, 70, 1), { reason: 'IssuanceLimited', until: now + 39 * minute }],
    [
      'the twelfth a day, for so much is what the authority forgives',
      failed(...Array.from({ length: 12 }, (_, index) => 12 - index)),
      { reason: 'IssuanceLimited', until: now + 24 * 60 * minute - minute },
    ],
    ['one that nobody refused waits for nothing', orders('Abandoned', minute), null],
    [
      'however many of them there were: neither for failures nor for certificates',
      orders('Abandoned', ...Array.from({ length: 12 }, (_, index) => (12 - index) * minute)),
      null,
    ],
    [
      'one that nobody refused neither ends the row of failures nor is one of them',
      [...failed(30), ...orders('Abandoned', 20 * minute), ...failed(1)],
      { reason: 'IssuanceLimited', until: now + 9 * minute },
    ],
    ['a certificate ends the row', [...failed(90, 80, 70), ...orders('Issued', 60 * minute), ...failed(6)], null],
    [
      'five failures of an hour wait for the oldest to be an hour old, also with a certificate between',
      [...failed(50, 40, 30, 20), ...orders('Issued', 15 * minute), ...failed(6)],
      { reason: 'IssuanceLimited', until: now + 10 * minute + slack },
    ],
    ['four certificates within a week', orders('Issued', 4 * day, 3 * day, 2 * day, day), null],
    [
      'five wait for the first to be a week old',
      orders('Issued', 5 * day, 4 * day, 3 * day, 2 * day, day),
      { reason: 'LedgerNameFull', until: now + 2 * day + slack },
    ],
    [
      'what is still open counts as a certificate',
      [...orders('Issued', 4 * day, 3 * day, 2 * day, day), ...orders('Pending', minute)],
      { reason: 'LedgerNameFull', until: now + 3 * day + slack },
    ],
    [
      'a failure that came long after its order waits five minutes from then',
      failed(30).map((order) => ({ ...order, endedAt: at(minute) })),
      { reason: 'IssuanceLimited', until: now + 4 * minute },
    ],
    [
      'a certificate that came long after its order counts from then',
      orders('Issued', 8 * day, 4 * day, 3 * day, 2 * day, day).map((order, index) =>
        index === 0 ? { ...order, endedAt: at(5 * day) } : order,
      ),
      { reason: 'LedgerNameFull', until: now + 2 * day + slack },
    ],
    [
      'the authority named a time',
      [
        {
          request: 'a',
          at: at(minute),
          outcome: 'Failed',
          scope: 'Name',
          waitsUntil: new Date(now + day).toISOString(),
        },
      ],
      { reason: 'AuthoritySaysWait', until: now + day },
    ],
    [
      'what it said of others is not said of this name',
      [
        {
          request: 'a',
          at: at(5 * minute),
          outcome: 'Failed',
          scope: 'Issuer',
          waitsUntil: new Date(now + day).toISOString(),
        },
      ],
      null,
    ],
  ])('%s', (_, before, wait) => {
    expect(hostnameWait(before, alone, now)).toEqual(wait);
  });

  it.each<[string, readonly OrderEntry[], ReturnType<typeof hostnameWait>]>([
    [
      'counts no certificates of another authority',
      elsewhere(orders('Issued', 4 * day, 3 * day, 2 * day, day, minute)),
      null,
    ],
    [
      'counts failures at another authority',
      elsewhere(failed(1)),
      { reason: 'IssuanceLimited', until: now + 4 * minute },
    ],
    ['waits no time that another authority named', elsewhere(named('Name')), null],
    [
      'waits no time that another authority named before the order came here',
      named('Name').map((order) => ({ ...order, issuerAccount: 'here', waitsAccount: 'elsewhere' })),
      null,
    ],
    [
      'waits the time that its own authority named, wherever the order went on',
      elsewhere(named('Name')).map((order) => ({ ...order, waitsAccount: 'here' })),
      { reason: 'AuthoritySaysWait', until: now + day },
    ],
  ])('an account at one of two authorities %s', (_, before, wait) => {
    const isHere = ({ issuerAccount = 'here' }: PlacedWith) => issuerAccount === 'here';
    expect(hostnameWait(before, { limits: orderLimits, isHere }, now)).toEqual(wait);
  });

  it('a name whose every order fails is ordered 19 times in its first week and less than once a day from then on', () => {
    const placed: number[] = [];
    let history: readonly OrderEntry[] = [];
    for (let time = now; time < now + 60 * day; time += 5 * minute) {
      if (hostnameWait(history, alone, time)) continue;
      placed.push(time);
      history = [
        ...history,
        { request: `r${time}`, at: new Date(time).toISOString(), outcome: 'Failed' as const },
      ].slice(-20);
    }
    const inWeek = (week: number) => placed.filter((time) => Math.floor((time - now) / (7 * day)) === week).length;
    expect(inWeek(0)).toBeLessThanOrEqual(19);
    expect(inWeek(5)).toBeLessThanOrEqual(7);
  });
});
