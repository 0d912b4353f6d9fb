import { describe, expect, it } from '@jest/globals';
import type { AccountAvailability } from '../../../src/controllers/acme-issuer/ordering-accounts.ts';
import { availabilityOf } from '../../../src/controllers/acme-issuer/ordering-accounts.ts';
import { createAuthorityHealth } from '../../../src/controllers/acme-issuer/authority-health.ts';
import type { AccountChoice, ChoiceInput } from '../../../src/controllers/acme-order/account-choice.ts';
import { chooseAccount } from '../../../src/controllers/acme-order/account-choice.ts';
import type { OrderLedger } from '../../../src/generated/order-ledger.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import type { OrderEntry } from '../../../src/rules/order-ledger/hostname-orders.ts';
import { countingAccounts } from '../../../src/rules/order-ledger/order-limits.ts';
import { now, orderLimits } from '../../support/snapshot.ts';

/** What fails an order that could go on at another authority, or sends one where it must not go. */

const ca = { domains: ['ca.test'], accountUri: null, method: 'http-01', caaProfile: 'strict' } as const;
const account = (name: string, server: string) => ({ name, server, limits: orderLimits, ca });
const accounts = countingAccounts([
  account('first', 'https://one.test'),
  account('twin', 'https://one.test'),
  account('second', 'https://two.test'),
]);
const soon = timestamp(now + 3_600_000);
const order = (fields: Partial<OrderEntry> = {}): OrderEntry => ({
  request: 'uid',
  at: timestamp(now - 1_000),
  outcome: 'Pending',
  issuerAccount: 'first',
  ...fields,
});

type State = NonNullable<OrderLedger['spec']['accounts']>[number];
const ledger = (...states: readonly State[]): OrderLedger => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'OrderLedger',
  metadata: { name: 'ca' },
  spec: { accounts: states },
});
const state = (name: string, fields: Partial<State> = {}): State => ({ name, used: 0, left: 300, ...fields });

const away =
  (...names: readonly string[]) =>
  ({ name }: { readonly name: string | null }): AccountAvailability => ({
    away: name !== null && names.includes(name) ? 'Down' : null,
    answersSince: 0,
  });

const choose = (changes: Partial<ChoiceInput> = {}): AccountChoice =>
  chooseAccount({
    now,
    order: order(),
    orders: [order()],
    accounts,
    availability: away(),
    ledger: undefined,
    domainOrders: () => ({ orders: new Map(), pauses: [] }),
    ...changes,
  });

const named = order({ waitsUntil: soon, scope: 'Issuer' });
const ofName = order({ waitsUntil: soon, scope: 'Name' });
const moved = order({ waitsUntil: soon, scope: 'Issuer', waitsAccount: 'first', issuerAccount: 'second' });
const failed = order({ request: 'other', outcome: 'Failed', at: timestamp(now - 60_000) });

describe('the account of an order', () => {
  it.each<[string, Partial<ChoiceInput>, readonly [string | null, AccountChoice['away'], string | null]]>([
    ['is the one that it was granted for', {}, ['first', null, null]],
    [
      'is the first where it was granted before accounts had names',
      { order: order({ issuerAccount: undefined as never }) },
      ['first', null, null],
    ],
    ['changes to the next while its authority is down', { availability: away('first') }, ['first', 'Down', 'twin']],
    [
      'changes to another authority where all of the first is down',
      { availability: away('first', 'twin') },
      ['first', 'Down', 'second'],
    ],
    ['stays where no other answers', { availability: away('first', 'twin', 'second') }, ['first', 'Down', null]],
    [
      'never changes to one that CAA does not permit',
      { availability: away('first', 'twin'), order: order({ permittedAccounts: ['first', 'twin'] }) },
      ['first', 'Down', null],
    ],
    [
      'changes where CAA does not permit it any more',
      { order: order({ permittedAccounts: ['second'] }) },
      ['first', 'Forbidden', 'second'],
    ],
    ['changes while its authority said to wait', { order: named, orders: [named] }, ['first', 'Waits', 'twin']],
    [
      'leaves an authority that said to wait with the name',
      { order: ofName, orders: [ofName] },
      ['first', 'Waits', 'second'],
    ],
    [
      'leaves an authority that said to wait with the registered domain',
      {
        order: named,
        orders: [named],
        domainOrders: () => ({ orders: new Map(), pauses: [{ until: now + 1, issuerAccount: 'twin' }] }),
      },
      ['first', 'Waits', 'second'],
    ],
    ['does not mind what an account that it left was told', { order: moved, orders: [moved] }, ['second', null, null]],
    [
      'passes over one at its limit, and one that pauses',
      {
        availability: away('first'),
        ledger: ledger(state('twin', { left: 0 }), state('second', { waitsUntil: soon })),
      },
      ['first', 'Down', null],
    ],
    [
      'waits after a failure of the name, wherever that was',
      { availability: away('first'), orders: [order(), failed] },
      ['first', 'Down', null],
    ],
  ])('%s', (_, changes, expected) => {
    const { placedWith, away: why, alternative } = choose(changes);
    expect([placedWith, why, alternative]).toEqual(expected);
  });
});

describe('an authority', () => {
  const seen = () => {
    let time = now;
    const health = createAuthorityHealth(() => time);
    const changes: number[] = [];
    health.subscribe(() => void changes.push(time - now));
    return { health, changes, pass: (ms: number) => (time += ms) };
  };

  it('is down after a minute without an answer, not after one silence, and is told of once', () => {
    const { health, changes, pass } = seen();
    const isDown = () => health.of('a').isDown;
    health.silent('a');
    pass(59_000);
    health.silent('a');
    const before = isDown();
    pass(1_000);
    health.silent('a');
    health.silent('a');
    expect([before, isDown(), changes]).toEqual([false, true, [0, 60_000]]);
  });

  it('answers since the first answer after that, and any answer before begins the minute anew', () => {
    const { health, pass } = seen();
    health.silent('a');
    pass(50_000);
    health.answered('a');
    pass(20_000);
    health.silent('a');
    expect(health.of('a')).toEqual({ silentSince: now + 70_000, isDown: false, answersSince: 0 });
    pass(60_000);
    health.silent('a');
    pass(5_000);
    health.answered('a');
    expect(health.of('a')).toEqual({ silentSince: null, isDown: false, answersSince: now + 135_000 });
  });

  it('that was silent before this process is down at the first silence that it sees', () => {
    const { health } = seen();
    health.silent('a', now - 3_600_000);
    expect(health.of('a').isDown).toBe(true);
  });
});

describe('whether an account can be ordered with', () => {
  const down = { of: () => ({ silentSince: 0, isDown: true, answersSince: 0 }) };
  const well = { of: () => ({ silentSince: null, isDown: false, answersSince: 7 }) };
  const first = { name: 'first', server: 'https://one.test', isAlone: false };

  it.each([
    ['is not known before any is registered', [], down, first, null],
    ['is a no while its authority is down', [first], down, first, 'Down'],
    ['is a no while it cannot be used, although others can', [{ ...first, name: 'second' }], well, first, 'Unusable'],
    ['is a yes for the only one: its orders wait where they are', [first], down, { ...first, isAlone: true }, null],
    ['is a yes otherwise', [first], well, first, null],
  ] as const)('%s', (_, registered, health, asked, expected) => {
    expect(availabilityOf(registered, health)(asked).away).toBe(expected);
  });
});
