import { describe, expect, it } from '@jest/globals';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import type { OrderEntry } from '../../../src/rules/order-ledger/hostname-orders.ts';
import {
  certificateIn,
  claim,
  domain,
  granting,
  heldBy,
  now,
  request,
  route,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/**
 * cert-manager has just stored a certificate, does not see its Secret yet, and asks for another. Without this, one of a few hundred
 * hostnames of an import lost one of its five orders of a week.
 */

const open = request('second');
const before = (ms: number) => timestamp(now - ms);
const issued = (endedAt: number, changes: Partial<OrderEntry> = {}): OrderEntry => ({
  request: 'u-first',
  at: before(endedAt + 5_000),
  endedAt: before(endedAt),
  outcome: 'Issued',
  kind: 'First',
  ...changes,
});

interface Told {
  readonly isReady?: boolean;
  readonly reason?: string | null;
  /** how long ago it was marked as being issued, milliseconds */
  readonly since?: number;
  readonly observedGeneration?: number;
  readonly orders?: readonly OrderEntry[];
}

/** What is decided of a second request, which the ledger has granted, by what cert-manager says of the Certificate. */
function decided({ isReady = true, reason = 'DoesNotExist', since = 11_000, ...told }: Told = {}) {
  const { observedGeneration = 1, orders = [issued(12_000)] } = told;
  const whole = certificateIn(isReady);
  const ready = {
    ...whole.status.conditions[0],
    type: 'Ready',
    status: isReady ? 'True' : 'False',
    observedGeneration,
  } as const;
  const issuing = { type: 'Issuing', status: 'True', reason: reason ?? '', lastTransitionTime: before(since) } as const;
  const certificate: ProjectDomainSnapshot['certificate'] = {
    ...whole,
    metadata: { ...whole.metadata, generation: 1, creationTimestamp: before(60_000) },
    status: { ...whole.status, conditions: reason === null ? [ready] : [ready, issuing] },
  };
  const { metadata } = open;
  const made = { ...open, metadata: { ...metadata, creationTimestamp: before(since) } };
  const actions = decideProjectDomain(
    snapshot({
      ...heldBy,
      domain: domain({ status: { state: 'Live' } }),
      claim: claim({ orders: [...orders] }),
      verdict: verdict(),
      certificate,
      route,
      requests: [made],
      probe: { ok: true },
      orderLedger: granting(made),
    }),
  );
  const writes = actions.writes.map((write) => {
    if (write.verb === 'remove') return `remove ${write.kind.kind}`;
    if (write.verb !== 'replaceStatus') return JSON.stringify(write).includes('"Approved"') ? 'approve' : '';
    const { conditions } = (write.object as typeof certificate & object).status ?? {};
    return `${write.kind.kind} ${conditions?.map(({ type }) => type).join()}`;
  });
  return { writes: writes.filter((text) => text !== ''), actions };
}

const ended = ['Certificate Ready', 'remove CertificateRequest'];

describe('a request for what was just issued', () => {
  it.each<[string, Told]>([
    ['as its Secret was not seen', {}],
    ['as the former Secret was seen at a renewal', { reason: 'SecretMismatch' }],
    ['as the former Secret was seen when it moved to another issuer', { reason: 'IncorrectIssuer' }],
    [
      'before the outcome of its order is recorded',
      { orders: [{ request: 'u-first', at: before(30_000), outcome: 'Pending' }] },
    ],
  ])('%s is ended, and the certificate stays', (_, told) => {
    expect(decided(told).writes).toEqual(ended);
  });

  it('is held back until cert-manager has seen its Secret, and looked at again then', () => {
    for (const isReady of [true, false]) {
      const { writes, actions } = decided({ since: 4_000, isReady });
      expect(writes).toEqual([]);
      expect(JSON.stringify(actions.writes)).toContain('waiting for cert-manager to see its Secret');
      expect(actions.requeueAt).toBe(now + 6_000);
    }
  });

  it('is removed alone where cert-manager has seen it meanwhile, as after half of this was written', () => {
    expect(decided({ reason: null }).writes).toEqual(['remove CertificateRequest']);
    expect(decided({ reason: null, since: 4_000 }).writes).toEqual([]);
  });
});

it('a request after a failed order waits as the limits say, and is not ended', () => {
  expect(decided({ orders: [issued(12_000, { outcome: 'Failed' })] }).writes).toEqual([]);
});

describe('a request is ordered', () => {
  it.each<[string, Told]>([
    ['for a renewal', { reason: 'Renewing' }],
    ['that somebody asked for', { reason: 'ManuallyTriggered' }],
    ['that the authority suggests', { reason: 'RenewalSuggested', since: 1_000 }],
    ['where the Secret is gone', { isReady: false }],
    ['where the Certificate was changed since it was Ready', { observedGeneration: 0 }],
    ['where the last order was long before', { orders: [issued(20 * 60_000)] }],
    ['where the last order was of a Certificate before this one', { orders: [issued(62_000)] }],
    ['where there was none', { orders: [] }],
    [
      'of a Certificate that is ready, where the last order was long before',
      { reason: null, orders: [issued(20 * 60_000)] },
    ],
  ])('%s', (_, told) => {
    expect(decided(told).writes).toEqual(['approve']);
  });
});
