import { describe, expect, it } from '@jest/globals';
import type { NextForRequest } from '../../../src/controllers/revocation/decide-revocation-request.ts';
import { decideRevocationRequest, isDue } from '../../../src/controllers/revocation/decide-revocation-request.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { RevocationRequest } from '../../../src/issuing/revocations.ts';
import type { Certificate } from '../../../src/resources/cert-manager-types.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import type { OrderEntry } from '../../../src/rules/order-ledger/hostname-orders.ts';
import { certificateIn, claim, now } from '../../support/snapshot.ts';

/** An administrator's request, as the claim has it and while it is worked on. */

const minute = 60_000;
const hour = 60 * minute;
const requestedAt = timestamp(now - minute);
const endOfOld = '2026-02-20T00:00:00Z';
const endOfNew = '2026-04-01T00:00:00Z';
const placed = { account: 'https://ca.test/account', thumbprint: 't', placed: 1, order: 'https://ca.test/order' };

/** A certificate that the operator ordered a while ago. */
const issued = (changes: Partial<OrderEntry> = {}, notAfter = endOfOld): OrderEntry => ({
  request: `ends ${notAfter}`,
  at: timestamp(now - 10_000),
  outcome: 'Issued',
  acme: { ...placed, download: `https://ca.test/certificate/${notAfter}`, notAfter },
  ...changes,
});
const marked = { revocation: { reason: 'superseded', since: requestedAt } } as const;
const revoked = { revocation: { ...marked.revocation, result: 'Revoked', endedAt: timestamp(now) } } as const;
const beganAt = timestamp(now - 5_000);
const replacement = (outcome: OrderEntry['outcome'] = 'Issued'): OrderEntry =>
  issued({ request: 'new', at: beganAt, outcome }, endOfNew);

const certificate = (notAfter: string, conditions: readonly object[] = [{ type: 'Ready', status: 'True' }]) => {
  const whole = certificateIn(true);
  return { ...whole, status: { ...whole.status, notAfter, conditions } } as Certificate;
};
const issuing = (notAfter: string) =>
  certificate(notAfter, [
    { type: 'Ready', status: 'True' },
    { type: 'Issuing', status: 'True' },
  ]);

interface Case {
  readonly request?: Partial<RevocationRequest>;
  readonly orders?: readonly OrderEntry[];
  readonly phase?: HostnameClaim['spec']['phase'];
  /** the one that serves the hostname; null for none */
  readonly served?: Certificate | null;
  readonly isCertificateKnown?: boolean;
}

const snapshotOf = ({
  request = {},
  orders = [issued()],
  phase = 'Held',
  served = certificate(endOfOld),
  isCertificateKnown = true,
}: Case) => ({
  now,
  claim: claim({
    phase,
    proof: { method: 'CNAME', at: timestamp(now - 10 * hour) },
    orders: [...orders],
    revocation: { reason: 'superseded', requestedAt, ...request },
  }),
  certificate: served ?? undefined,
  isCertificateKnown,
});

/** What is recorded of each order, and what of the request; or what is done. */
const told = (next: NextForRequest) => {
  if (!('claim' in next)) return next.next;
  const { orders = [], revocation } = next.claim.spec;
  const { replacingSince, doneAt } = revocation ?? {};
  return [
    next.next,
    orders.map((order) => order.revocation?.reason ?? '-').join(' '),
    ...(replacingSince ? ['replacing'] : []),
    ...(doneAt ? ['done'] : []),
    ...('isSecretLeft' in next && next.isSecretLeft ? ['without its Secret'] : []),
  ].join(', ');
};

describe('a request to revoke', () => {
  it.each<[sentence: string, of: Case, expected: string]>([
    [
      'marks what was ordered before, and has the new certificate issued, by one write before either',
      {},
      'Record, superseded, replacing',
    ],
    [
      'marks an order that is under way: its certificate may follow',
      { orders: [issued({ outcome: 'Pending', acme: placed })], served: issuing(endOfOld) },
      'Record, superseded',
    ],
    [
      'waits for an issuance that began before: its key may be as old',
      { orders: [issued(marked)], served: issuing(endOfOld) },
      'Leave',
    ],
    [
      'is begun once that has ended',
      { orders: [issued(marked), issued(marked, endOfNew)], served: certificate(endOfNew) },
      'Record, superseded superseded, replacing',
    ],
    [
      'has the certificate issued once that is recorded',
      { request: { replacingSince: beganAt }, orders: [issued(marked)] },
      'Replace',
    ],
    [
      'waits while the new one is issued',
      { request: { replacingSince: beganAt }, orders: [issued(marked)], served: issuing(endOfOld) },
      'Await',
    ],
    [
      'waits while its order is under way, whatever the Certificate says by then',
      { request: { replacingSince: beganAt }, orders: [issued(marked), replacement('Pending')] },
      'Await',
    ],
    [
      'has it issued again where its order failed',
      { request: { replacingSince: beganAt }, orders: [issued(marked), replacement('Failed')] },
      'Replace',
    ],
    [
      'leaves the new certificate alone',
      {
        request: { replacingSince: beganAt },
        orders: [issued(marked), replacement()],
        served: certificate(endOfNew),
      },
      'Leave',
    ],
    [
      'is done once everything is revoked and the new certificate is served',
      {
        request: { replacingSince: beganAt },
        orders: [issued(revoked), replacement()],
        served: certificate(endOfNew),
      },
      'Finish, superseded -, replacing, done',
    ],
    [
      'is not done before the new certificate is stored, which takes a moment after it is issued',
      { request: { replacingSince: beganAt }, orders: [issued(revoked), replacement()] },
      'Await',
    ],
    [
      'has it issued again where it was never stored',
      {
        request: { replacingSince: timestamp(now - hour) },
        orders: [issued(revoked), { ...replacement(), at: timestamp(now - hour) }],
      },
      'Replace',
    ],
    [
      'needs no new certificate where nobody is served; the revoked one is not served again either',
      { orders: [issued(revoked)], served: null },
      'Finish, superseded, done, without its Secret',
    ],
    [
      'needs none for a hostname that was given up',
      { phase: 'Tombstone', orders: [issued(revoked)], served: null },
      'Finish, superseded, done, without its Secret',
    ],
    [
      'needs none where another certificate is served, as one that cert-manager ordered, and keeps the Secret of that',
      { orders: [issued(revoked)], served: certificate('2026-03-03T00:00:00Z') },
      'Finish, superseded, done',
    ],
    [
      'is done at once where there is nothing to revoke',
      { orders: [{ request: 'r', at: timestamp(now), outcome: 'Issued' }] },
      'Finish, -, done',
    ],
    ['is done at once where there never was an order', { orders: [] }, 'Finish, , done'],
    ['that is done is left alone', { request: { doneAt: timestamp(now) } }, 'Leave'],
    [
      'marks what it can, and nothing else, while nobody knows the Certificates',
      { isCertificateKnown: false },
      'Record, superseded',
    ],
    [
      'ends nothing while nobody knows the Certificates',
      { isCertificateKnown: false, orders: [issued(revoked)], served: null },
      'Leave',
    ],
    [
      'counts for what an earlier one left open',
      {
        request: { reason: 'keyCompromise' },
        orders: [issued({ revocation: { reason: 'superseded', since: '2026-01-01T00:00:00Z' } })],
      },
      'Record, keyCompromise, replacing',
    ],
    [
      'leaves what a transfer revokes to that',
      {
        orders: [
          issued({
            at: '2025-12-30T00:00:00Z',
            revocation: { reason: 'cessationOfOperation', since: '2026-01-01T00:00:00Z' },
          }),
          issued(marked),
        ],
      },
      'Record, cessationOfOperation superseded, replacing',
    ],
    [
      'revokes nothing that has ended, was revoked or never was a certificate',
      {
        orders: [
          issued({}, '2025-12-31T00:00:00Z'),
          issued({ outcome: 'Failed', acme: placed }),
          issued({ revocation: { ...revoked.revocation, since: '2026-01-01T00:00:00Z' } }),
          issued(),
        ],
      },
      'Record, - - superseded superseded, replacing',
    ],
  ])('%s', (_, of, expected) => {
    expect(told(decideRevocationRequest(snapshotOf(of)))).toBe(expected);
  });
});

describe('a certificate that is to be revoked', () => {
  const earlier = { reason: 'cessationOfOperation', since: '2026-01-01T00:00:00Z' } as const;
  const replaced: Case = {
    request: { replacingSince: beganAt },
    orders: [issued(marked), replacement()],
    served: certificate(endOfNew),
  };

  it.each<[sentence: string, order: OrderEntry, of: Case, expected: boolean]>([
    ['is not while the hostname is served by it', issued(marked), {}, false],
    ['is not while the new one is only issued', issued(marked), { ...replaced, served: issuing(endOfOld) }, false],
    ['is once the new one is served', issued(marked), replaced, true],
    ['is at once where its key is known to others', issued(marked), { request: { reason: 'keyCompromise' } }, true],
    ['is at once where an administrator cannot wait', issued(marked), { request: { atOnce: true } }, true],
    ['is at once where nobody is served', issued(marked), { served: null }, true],
    ['is at once for a hostname that was given up', issued(marked), { phase: 'Tombstone' }, true],
    [
      'is not while nobody knows whether it is served',
      issued(marked),
      { served: null, isCertificateKnown: false },
      false,
    ],
    ['is at once where a transfer wants it', issued({ revocation: earlier }), {}, true],
    [
      'is at once where its request is gone, as after a transfer',
      issued(marked),
      { request: { doneAt: requestedAt } },
      true,
    ],
    ['is nothing more where that has ended', issued(revoked), replaced, false],
    ['is nothing where nobody wants it', issued(), replaced, false],
  ])('%s', (_, order, of, expected) => {
    const snapshot = snapshotOf(of);
    const orders = [order, ...(of.orders ?? []).slice(1)];
    const seen = { ...snapshot, claim: { ...snapshot.claim, spec: { ...snapshot.claim.spec, orders } } };
    expect(isDue(order, seen)).toBe(expected);
  });
});
