import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim as Claim } from '../../../src/generated/hostname-claim.ts';
import type { AcmeIssuer } from '../../../src/generated/acme-issuer.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { Certificate } from '../../../src/resources/cert-manager-types.ts';
import { countsOf } from '../../../src/operator/object-counts.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { claim, domain, now, routes } from '../../support/snapshot.ts';

const hour = 3_600_000;
const day = 24 * hour;
const at = (ms: number) => new Date(ms).toISOString().replace('.000', '');

const certificate = (notAfter?: string): Certificate => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'pd-1', namespace: 'acme', uid: 'pd-1', resourceVersion: '1' },
  spec: { secretName: 'pd-1' },
  status: notAfter === undefined ? {} : { notAfter },
});

/** Caches and what is counted of them. */
function watched() {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  return {
    stores,
    counts: countsOf(stores, { freshness: { checked: () => new Map(), lag: () => 0 }, now: () => now }),
  };
}

const named = (name: string, status: ProjectDomain['status'] = {}): ProjectDomain => {
  const subject = domain({ status });
  return { ...subject, metadata: { ...subject.metadata, name, uid: name, resourceVersion: '1' } };
};

/** Without the zeros, so that a table shows only what was counted. */
const counted = (counts: ReadonlyMap<string, number>) => Object.fromEntries([...counts].filter(([, many]) => many > 0));

describe('certificates by time left', () => {
  it.each<[sentence: string, left: number, bucket: string]>([
    ['one that ended a second ago has ended', -1_000, 'ended'],
    ['one that ends this very moment has ended', 0, 'ended'],
    ['one with an hour left', hour, '1d'],
    ['one with an hour more than a day left', day + hour, '7d'],
    ['one with eight days left', 8 * day, '21d'],
    ['one that is as long as cert-manager waits with renewal', 30 * day, 'later'],
  ])('%s', (_, left, bucket) => {
    const { stores, counts } = watched();
    stores.certificates.put(certificate(at(now + left)));
    expect(counted(counts.certificates())).toEqual({ [bucket]: 1 });
  });

  it('one that was never issued is not counted, and empty buckets are there', () => {
    const { stores, counts } = watched();
    stores.certificates.put(certificate());
    expect([...counts.certificates()]).toEqual([
      ['ended', 0],
      ['1d', 0],
      ['7d', 0],
      ['21d', 0],
      ['later', 0],
    ]);
  });
});

describe('domains by reason of CertificateIssued', () => {
  it('counts the reason of that condition and of no other', () => {
    const of = (type: string, reason: string) => ({
      type,
      status: 'False' as const,
      reason,
      message: '',
      lastTransitionTime: at(now),
    });
    const { stores, counts } = watched();
    const limited = of('CertificateIssued', 'IssuanceLimited');
    stores.domains.put(named('a', { conditions: [of('Accepted', 'Waiting'), limited] }));
    stores.domains.put(named('b', { conditions: [limited] }));
    stores.domains.put(named('c', {}));
    expect(counted(counts.issuance())).toEqual({ IssuanceLimited: 2 });
    stores.domains.drop(named('b', {}));
    expect(counted(counts.issuance())).toEqual({ IssuanceLimited: 1 });
  });
});

describe('domains by state', () => {
  it('are counted change by change, and states that nobody is in are there', () => {
    const { stores, counts } = watched();
    stores.domains.put(named('a', {}));
    stores.domains.put(named('b', { state: 'Live' }));
    stores.domains.put({
      ...named('a', { state: 'Live' }),
      metadata: { ...named('a').metadata, resourceVersion: '2' },
    });
    stores.domains.put({
      ...named('b', {}),
      metadata: { ...named('b').metadata, uid: 'made anew', resourceVersion: '3' },
    });
    expect(Object.fromEntries(counts.domainsByState())).toEqual({
      Pending: 1,
      Unverified: 0,
      Verified: 0,
      Live: 1,
      Degraded: 0,
      Suspended: 0,
    });
  });
});

describe('domains that fail while nobody is suspended for it', () => {
  const failing = (name: string, failures: number) => {
    const { metadata, ...rest } = named(name, { state: 'Live', check: { failures } });
    return { ...rest, metadata: { ...metadata, namespace: `n${name}` } };
  };
  it.each<[sentence: string, failing: number, served: number, held: number]>([
    ['are none while nine of ninety do', 9, 90, 0],
    ['are those that do when it is more than a tenth', 12, 100, 12],
    ['are none at a tenth', 12, 120, 0],
  ])('%s', (_, many, served, held) => {
    const { stores, counts } = watched();
    for (let index = 0; index < served; index += 1) stores.domains.put(failing(`d${index}`, index < many ? 1 : 0));
    expect(counts.suspensionsHeld()).toBe(held);
  });
});

describe('orders of the last three hours', () => {
  it('counts each order of each claim by its outcome, and none before', () => {
    const order = (ago: number, outcome: 'Pending' | 'Issued' | 'Failed') => ({
      request: 'r',
      at: at(now - ago),
      outcome,
    });
    const { stores, counts } = watched();
    const put = (name: string, orders: NonNullable<Claim['spec']['orders']>, resourceVersion = '1') => {
      const given = claim({ orders });
      stores.claims.put({ ...given, metadata: { ...given.metadata, name, uid: name, resourceVersion } });
    };
    put('a.example.com', [order(4 * hour, 'Failed'), order(2 * hour, 'Failed'), order(hour, 'Pending')]);
    put('a.example.com', [order(4 * hour, 'Failed'), order(2 * hour, 'Failed'), order(hour, 'Issued')], '2');
    put('b.example.com', [{ ...order(60_000, 'Issued'), unconfirmed: true }]);
    put('c.example.com', []);
    expect(counted(counts.orders())).toEqual({ Failed: 1, Issued: 2 });
    expect(counted(counts.unconfirmed())).toEqual({ '1d': 1 });
  });
});

describe('accounts of AcmeIssuers', () => {
  const accounts = ['a', 'b', 'c'].map((name) => ({
    name,
    server: 'https://ca.test/dir',
    keySecret: `projectdomain-acme-${name}`,
  }));
  const issuer: AcmeIssuer = {
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'AcmeIssuer',
    metadata: { name: 'ca', resourceVersion: '1' },
    spec: { accounts },
    status: {
      accounts: [
        { name: 'a', server: 'https://ca.test/dir', uri: 'https://ca.test/1' },
        { name: 'b', server: 'https://ca.test/dir', uri: 'https://ca.test/2', problem: 'its key is missing' },
      ],
    },
  };

  it('have the orders left that the ledger says of each', () => {
    const { stores, counts } = watched();
    stores.orderLedgers.put({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'OrderLedger',
      metadata: { name: 'ca', resourceVersion: '1' },
      spec: {
        left: 310,
        accounts: [
          { name: 'a', used: 290, left: 10 },
          { name: 'b', used: 0, left: 300 },
        ],
      },
    });
    expect([...counts.acmeOrdersLeft()]).toEqual([
      ['a', 10],
      ['b', 300],
    ]);
  });

  it('can be used where the status names their URL and no problem; one that it does not name yet cannot', () => {
    const { stores, counts } = watched();
    stores.acmeIssuers.put(issuer);
    expect([...counts.acmeAccounts()]).toEqual([
      ['usable', 1],
      ['unusable', 2],
    ]);
  });
});
