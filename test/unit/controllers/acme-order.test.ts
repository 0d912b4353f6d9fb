import { describe, expect, it } from '@jest/globals';
import type { AcmeAccount } from '../../../src/acme/acme-client.ts';
import type { RegisteredAccount } from '../../../src/controllers/acme-issuer/registered-accounts.ts';
import type { AcmeOrderSnapshot, NextForOrder } from '../../../src/controllers/acme-order/decide-acme-order.ts';
import { decideAcmeOrder } from '../../../src/controllers/acme-order/decide-acme-order.ts';
import type { CertificateRequest } from '../../../src/resources/cert-manager-types.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import type { OrderEntry } from '../../../src/rules/order-ledger/hostname-orders.ts';
import { claim, now as t0 } from '../../support/snapshot.ts';

const accountAt = (url: string): RegisteredAccount => ({
  name: url,
  server: 'https://ca.test/directory',
  thumbprint: 'thumbprint',
  profile: null,
  preferredChain: null,
  acme: { url } as AcmeAccount,
  authority: { renewalWindow: () => Promise.resolve(null) },
});
const first = accountAt('https://ca.test/1');
const second = accountAt('https://ca.test/2');

type Condition = Readonly<{ type: string; status: 'True' | 'False'; reason?: string }>;
const approved: Condition = { type: 'Approved', status: 'True' };

const request = (...conditions: readonly Condition[]): CertificateRequest => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'CertificateRequest',
  metadata: { name: 'r', namespace: 'acme', uid: 'uid' },
  spec: { issuerRef: { group: 'projectdomain.io', kind: 'AcmeIssuer', name: 'ca' } },
  status: { conditions },
});

const entry = (fields: Partial<OrderEntry> = {}): OrderEntry => ({
  request: 'uid',
  at: timestamp(t0),
  outcome: 'Pending',
  checkedAt: timestamp(t0 - 10_000),
  ...fields,
});
const placed = { account: first.acme.url, thumbprint: 'thumbprint', placed: 1, order: 'https://ca.test/order/1' };
const { order: _, ...unplaced } = placed;
const longAgo = timestamp(t0 - 61_000);
/** recorded so long ago that a request which is not seen is gone */
const gone = timestamp(t0 - 5 * 60_000);

const snapshot = (changes: Partial<AcmeOrderSnapshot> = {}): AcmeOrderSnapshot => ({
  now: t0,
  claim: claim(),
  order: entry(),
  request: request(approved),
  issuer: { kind: 'AcmeIssuer', name: 'ca' },
  accounts: [first, second],
  knownAccounts: [first.acme.url, second.acme.url],
  placedWith: null,
  away: null,
  alternative: null,
  ...changes,
});

const down = { placedWith: first.name, away: 'Down', alternative: second.name } as const;

/** What of the decision is compared. */
const told = (next: NextForOrder) => {
  if (next.next === 'Advance') return [next.next, next.account.name, next.known];
  if (next.next === 'Move') return [next.next, next.issuerAccount];
  return next.next === 'Close' ? [next.next, next.account?.name ?? null] : [next.next];
};

describe('an open order', () => {
  it.each<[sentence: string, changes: Partial<AcmeOrderSnapshot>, expected: readonly unknown[]]>([
    ['is placed with the account that is preferred', {}, ['Advance', first.name, null]],
    [
      'goes on with the account that it was placed with',
      { order: entry({ acme: placed }), accounts: [second, first] },
      ['Advance', first.name, placed],
    ],
    [
      'is placed anew, and counted once more, where that account is gone',
      { order: entry({ acme: placed }), accounts: [second], knownAccounts: [second.acme.url] },
      ['Advance', second.name, unplaced],
    ],
    [
      'waits for its account where that is only away: there it may have ended already',
      { order: entry({ acme: placed }), accounts: [second] },
      ['Wait'],
    ],
    [
      'is not placed before the time that its authority named',
      { order: entry({ waitsUntil: timestamp(t0 + 1_000) }) },
      ['Wait'],
    ],
    ['is placed after that', { order: entry({ waitsUntil: timestamp(t0 - 1_000) }) }, ['Advance', first.name, null]],
    ['is placed with the account that it was granted for', { placedWith: second.name }, ['Advance', second.name, null]],
    ['waits for that account while it cannot be used', { placedWith: 'other' }, ['Wait']],
    [
      'stays with an account that is away while no other takes it',
      { ...down, alternative: null },
      ['Advance', first.name, null],
    ],
    ['goes on with another account while its own is down', down, ['Move', second.name]],
    [
      'goes on with another account although it may have been placed: that is counted where it was',
      { ...down, order: entry({ acme: unplaced }) },
      ['Move', second.name],
    ],
    [
      'goes on with another account before the time that its own was told to wait for',
      { ...down, away: 'Waits', order: entry({ waitsUntil: timestamp(t0 + 1_000) }) },
      ['Move', second.name],
    ],
    [
      'does not wait for a time that the account before was told',
      { placedWith: second.name, order: entry({ waitsUntil: timestamp(t0 + 1_000), waitsAccount: first.name }) },
      ['Advance', second.name, null],
    ],
    [
      'that its authority has is given up for another while that is down',
      { ...down, order: entry({ acme: placed }) },
      ['Abandon'],
    ],
    [
      'that its authority has stays there while that takes no new ones',
      { ...down, away: 'Waits', order: entry({ acme: placed }) },
      ['Advance', first.name, placed],
    ],
    [
      'is not placed with an account that CAA does not permit any more',
      { ...down, away: 'Forbidden', alternative: null },
      ['Wait'],
    ],
    ['is not placed by a request that nobody approved', { request: request() }, ['Leave']],
    ['is not placed by a request that was denied', { request: request({ type: 'Denied', status: 'True' }) }, ['Leave']],
    ['waits while no account is registered', { accounts: [] }, ['Wait']],
    [
      'waits for another check where the last one is over a minute old',
      { order: entry({ checkedAt: longAgo }) },
      ['Wait'],
    ],
    [
      'waits for a check where none is recorded',
      { order: { ...entry(), checkedAt: undefined } as unknown as OrderEntry },
      ['Wait'],
    ],
    [
      'that may not have come to the authority needs a fresh check too',
      { order: entry({ acme: unplaced, checkedAt: longAgo }) },
      ['Wait'],
    ],
    [
      'that is placed goes on however old its check is',
      { order: entry({ acme: placed, checkedAt: longAgo }) },
      ['Advance', first.name, placed],
    ],
    [
      "of a platform hostname needs no check: nobody else's DNS leads there",
      {
        claim: { ...claim(), spec: { ...claim().spec, proof: { method: 'Platform', at: timestamp(t0) } } },
        order: entry({ checkedAt: longAgo }),
      },
      ['Advance', first.name, null],
    ],
    ["is not ours where the request is another issuer's", { issuer: { kind: 'AcmeIssuer', name: 'other' } }, ['Leave']],
    ['is not ours where cert-manager orders', { issuer: { kind: 'ClusterIssuer', name: 'ca' } }, ['Leave']],
    [
      'whose request was not seen for a moment may have it all the same',
      { request: undefined, order: entry({ acme: placed }) },
      ['Wait'],
    ],
    [
      'that was never begun is closed once its request is gone',
      { request: undefined, order: entry({ at: gone }) },
      ['Close', null],
    ],
    [
      'is closed once its request is gone',
      { request: undefined, order: entry({ acme: placed, at: gone }) },
      ['Close', first.name],
    ],
    [
      "of cert-manager's is left to it",
      { request: undefined, order: entry({ at: gone }), issuer: { kind: 'ClusterIssuer', name: 'ca' } },
      ['Leave'],
    ],
    [
      'is closed once its request has the certificate',
      { request: request(approved, { type: 'Ready', status: 'True' }), order: entry({ acme: placed }) },
      ['Close', first.name],
    ],
    [
      'is closed once its request has failed',
      {
        request: request(approved, { type: 'Ready', status: 'False', reason: 'Failed' }),
        order: entry({ acme: placed }),
      },
      ['Close', first.name],
    ],
    [
      'is closed once the hostname is released',
      { claim: { ...claim(), spec: { ...claim().spec, phase: 'Releasing' } }, order: entry({ acme: placed }) },
      ['Close', first.name],
    ],
    [
      'is not begun for a hostname that is released',
      { claim: { ...claim(), spec: { ...claim().spec, phase: 'Releasing' } } },
      ['Leave'],
    ],
    [
      'is closed without its account where that is gone',
      { request: undefined, order: entry({ acme: placed, at: gone }), accounts: [second], knownAccounts: [] },
      ['Close', null],
    ],
    [
      'is closed where cert-manager orders by now, as no account of ours is open then',
      { issuer: { kind: 'ClusterIssuer', name: 'ca' }, order: entry({ acme: placed }), accounts: [] },
      ['Close', null],
    ],
    [
      'is not closed before the accounts are registered',
      { request: undefined, order: entry({ acme: placed, at: gone }), accounts: [] },
      ['Wait'],
    ],
    [
      'goes on while its request only says that it waits',
      { request: request(approved, { type: 'Ready', status: 'False', reason: 'Pending' }) },
      ['Advance', first.name, null],
    ],
  ])('%s', (_sentence, changes, expected) => {
    expect(told(decideAcmeOrder(snapshot(changes)))).toEqual(expected);
  });
});
