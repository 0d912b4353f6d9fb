import { expect, it } from '@jest/globals';
import {
  authorityOpenness,
  grantsAtOnce,
  opennessChangesAt,
} from '../../../../src/rules/order-ledger/authority-probe.ts';

const minute = 60_000;
const until = Date.parse('2026-10-01T12:00:00Z');
const order = (minutes: number, state: 'Granted' | 'Pending' | 'Issued' | 'Failed') => ({
  at: new Date(until + minutes * minute).toISOString(),
  state,
});

it.each([
  ['without any pause everything is open', 0, 0, [], 'Open', null],
  ['during the pause nothing is granted, until it ends', until, -1, [order(-2, 'Issued')], 'Paused', 1],
  ['at its end one order goes first', until, 0, [order(-20, 'Issued'), order(-10, 'Pending')], 'Untried', null],
  ['beside a grant that nobody used yet the others wait', until, 1, [order(0, 'Granted')], 'Probed', 1 / 6],
  ['beside an order that is under way the others wait', until, 2, [order(1, 'Pending')], 'Probed', 1 / 6],
  ['an order that was issued opens', until, 2, [order(0, 'Pending'), order(1, 'Issued')], 'Open', null],
  ['an order that failed for its own reason opens', until, 2, [order(1, 'Failed')], 'Open', null],
  ['an order that hangs holds up nobody for a quarter of an hour', until, 15, [order(0, 'Pending')], 'Open', null],
  ['a pause that ended long ago is no reason for a probe', until, 15, [], 'Open', null],
] as const)('%s', (_, pause, minutes, orders, openness, changes) => {
  const now = until + minutes * minute;
  expect(authorityOpenness({ until: pause, orders }, now)).toBe(openness);
  expect(opennessChangesAt(openness, pause, now)).toBe(changes === null ? null : now + changes * minute);
});

it('looks for the outcome no later than when the wait for it ends: would fail if a hanging order were waited for longer', () => {
  const almost = until + 15 * minute - 1_000;
  expect(opennessChangesAt('Probed', until, almost)).toBe(until + 15 * minute);
});

it('grants nothing in a pause and beside a probe, and one order as the probe', () => {
  expect(grantsAtOnce).toMatchObject({ Paused: 0, Untried: 1, Probed: 0 });
});
