import { describe, expect, it } from '@jest/globals';
import { accountUses } from '../../../src/controllers/acme-issuer/decide-acme-issuer.ts';
import type { RegisteredAccount } from '../../../src/controllers/acme-issuer/registered-accounts.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import { now, orderLimits } from '../../support/snapshot.ts';

/** Fails when an administrator reads that another account takes orders than does, or the status is written at each order. */

type Input = Parameters<typeof accountUses>[0][number];

const spec = { name: 'a', server: 'https://a.test', keySecret: 'projectdomain-acme-a' };
const input = (changes: Partial<Input> = {}): Input => ({
  observation: { spec, account: {} as RegisteredAccount },
  isDown: false,
  state: undefined,
  limits: orderLimits,
  before: undefined,
  now,
  ...changes,
});
const state = (fields: Partial<NonNullable<Input['state']>> = {}) => ({ name: 'a', used: 0, left: 300, ...fields });
const later = timestamp(now + 60_000);

describe('how accounts are used', () => {
  it.each<[string, readonly Input[], readonly string[]]>([
    ['the first takes orders, the next one waits', [input(), input()], ['Next', 'Standby']],
    ['the next one does while the first is down', [input({ isDown: true }), input()], ['Down', 'Next']],
    [
      'the next one does while the first waits',
      [input({ state: state({ waitsUntil: later }) }), input()],
      ['Waits', 'Next'],
    ],
    ['the next one does while the first is full', [input({ state: state({ left: 0 }) }), input()], ['Full', 'Next']],
    [
      'the next one does while the first cannot be used',
      [input({ observation: { spec, account: null } }), input(), input()],
      ['Unusable', 'Next', 'Standby'],
    ],
    ['none does where none can', [input({ isDown: true }), input({ isDown: true })], ['Down', 'Down']],
    ['a pause that is over keeps nothing', [input({ state: state({ waitsUntil: timestamp(now - 1_000) }) })], ['Next']],
  ])('%s', (_, inputs, expected) => {
    expect(accountUses(inputs).map(({ use }) => use)).toEqual(expected);
  });

  it.each([
    ['all of it is left before the first order', undefined, undefined, 300],
    ['less than a tenth of a change is not written', 300, 280, 300],
    ['a tenth is', 300, 270, 270],
    ['that nothing is left is written at once', 20, 0, 0],
    ['that something is left again, too', 0, 3, 3],
    ['a greater limit than before is, too', 4_000, 290, 290],
  ])('%s', (_, shown, left, expected) => {
    const before = shown === undefined ? undefined : { ...spec, ordersLeft: shown };
    const [use] = accountUses([input({ before, state: left === undefined ? undefined : state({ left }) })]);
    expect(use?.ordersLeft).toBe(expected);
  });
});
