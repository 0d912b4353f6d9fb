import { describe, expect, it } from '@jest/globals';
import type { AcmeAccount } from '../../../src/acme/acme-client.ts';
import type { RegisteredAccount } from '../../../src/controllers/acme-issuer/registered-accounts.ts';
import type { RevocationSnapshot } from '../../../src/controllers/revocation/decide-revocation.ts';
import { decideRevocation } from '../../../src/controllers/revocation/decide-revocation.ts';
import { ofFormerHolder } from '../../../src/issuing/revocations.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import type { OrderEntry } from '../../../src/rules/order-ledger/hostname-orders.ts';
import { claim, now } from '../../support/snapshot.ts';

/** What becomes of one certificate that is to be revoked, by what the claim remembers of it. */

const hour = 3_600_000;
const account: RegisteredAccount = {
  name: 'ca',
  server: 'https://ca.test/directory',
  thumbprint: 't',
  profile: null,
  preferredChain: null,
  acme: { url: 'https://ca.test/account' } as AcmeAccount,
  authority: { renewalWindow: () => Promise.resolve(null) },
};
const placed = { account: account.acme.url, thumbprint: 't', placed: 1, order: 'https://ca.test/order' };
const acme = { ...placed, download: 'https://ca.test/certificate', notAfter: timestamp(now + hour) };
const order = (changes: Partial<OrderEntry> = {}): OrderEntry => ({
  request: 'uid',
  at: timestamp(now - 2 * hour),
  outcome: 'Issued',
  acme,
  revocation: { reason: 'superseded', since: timestamp(now) },
  ...changes,
});
/** One that nobody has wanted to be revoked yet. */
function unwanted(changes: Partial<OrderEntry> = {}): OrderEntry {
  const { revocation: _, ...rest } = order(changes);
  return rest;
}
const createdAt = (creationTimestamp: string) => {
  const whole = claim();
  return { ...whole, metadata: { ...whole.metadata, creationTimestamp } };
};

describe('a certificate that is to be revoked now', () => {
  it.each<[sentence: string, changes: Partial<RevocationSnapshot>, expected: string]>([
    ['is revoked by the account that ordered it', {}, 'Revoke'],
    ['is waited for while its order is under way', { order: order({ outcome: 'Pending' }) }, 'Wait'],
    [
      'is none where no certificate came of the order',
      { order: order({ outcome: 'Failed', acme: placed }) },
      'NotIssued',
    ],
    [
      'is revoked where the order failed and there is one all the same',
      { order: order({ outcome: 'Failed' }) },
      'Revoke',
    ],
    ['cannot be had where nobody knows where it is', { order: order({ acme: placed }) }, 'Unavailable'],
    [
      'has ended before it could be',
      { order: order({ acme: { ...acme, notAfter: timestamp(now) } }), account: undefined },
      'Expired',
    ],
    ['waits for an account that is only away', { account: undefined, isKnown: true }, 'Wait'],
    ['cannot be without the account that ordered it', { account: undefined }, 'AccountGone'],
    [
      'waits for its issuer after a restore, which may follow the claim',
      { account: undefined, claim: createdAt(timestamp(now - hour / 2)) },
      'Wait',
    ],
  ])('%s', (_, changes, expected) => {
    const snapshot = { now, claim: createdAt(timestamp(now - 2 * hour)), order: order(), account, isKnown: false };
    const next = decideRevocation({ ...snapshot, ...changes });
    expect(next.next === 'End' ? next.result : next.next).toBe(expected);
  });
});

describe('of a former holder', () => {
  it.each<[sentence: string, order: OrderEntry, expected: string | undefined]>([
    ['a certificate that is valid is revoked', unwanted(), 'cessationOfOperation'],
    [
      'an order that is under way is, too: its certificate may follow',
      unwanted({ outcome: 'Pending', acme: placed }),
      'cessationOfOperation',
    ],
    [
      "cert-manager's certificate is not, as only its account could",
      { request: 'r', at: timestamp(now), outcome: 'Issued' },
      undefined,
    ],
    [
      'a certificate that has ended is not',
      unwanted({ acme: { ...acme, notAfter: timestamp(now - 1_000) } }),
      undefined,
    ],
    [
      'what was wanted for another reason stays so',
      order({ revocation: { reason: 'keyCompromise', since: timestamp(now) } }),
      'keyCompromise',
    ],
  ])('%s', (_, one, expected) => {
    expect(ofFormerHolder([one], now).map(({ revocation }) => revocation?.reason)).toEqual([expected]);
  });
});
