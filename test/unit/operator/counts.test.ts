import { describe, expect, it } from '@jest/globals';
import type { Certificate } from '../../../src/model/cert-manager.ts';
import { countCertificates, countChecked, countIssuance, countOrders } from '../../../src/operator/counts.ts';
import { claim, domain, now } from '../../support/snapshot.ts';

const hour = 3_600_000;
const day = 24 * hour;
const at = (ms: number) => new Date(ms).toISOString().replace('.000', '');

const certificate = (notAfter?: string): Certificate => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'pd-1' },
  spec: { secretName: 'pd-1' },
  status: notAfter === undefined ? {} : { notAfter },
});

/** Without the zeros, so that a table shows only what was counted. */
const counted = (counts: ReadonlyMap<string, number>) => Object.fromEntries([...counts].filter(([, many]) => many > 0));

describe('certificates by time left', () => {
  it.each<[sentence: string, left: number, bucket: string]>([
    ['one that ended a second ago has ended', -1_000, 'ended'],
    ['one that ends this very moment has ended', 0, 'ended'],
    ['one with an hour left', hour, '1d'],
    ['one with a little more than a day left', day + 1_000, '7d'],
    ['one with eight days left', 8 * day, '21d'],
    ['one that is as long as cert-manager waits with renewal', 30 * day, 'later'],
  ])('%s', (_, left, bucket) => {
    expect(counted(countCertificates([certificate(at(now + left))], now))).toEqual({ [bucket]: 1 });
  });

  it('one that was never issued is not counted, and empty buckets are there', () => {
    expect([...countCertificates([certificate()], now)]).toEqual([
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
    const domains = [
      domain({ status: { conditions: [of('Accepted', 'Waiting'), of('CertificateIssued', 'IssuanceLimited')] } }),
      domain({ status: { conditions: [of('CertificateIssued', 'IssuanceLimited')] } }),
      domain(),
    ];
    expect(counted(countIssuance(domains))).toEqual({ IssuanceLimited: 2 });
  });
});

describe('what DNS said within the hour', () => {
  it.each<[sentence: string, check: object, counts: object]>([
    ['a fresh unknown counts', { routing: 'Unknown', checkedAt: at(now - hour + 1_000) }, { Unknown: 1 }],
    ['what is older than an hour does not', { routing: 'Unknown', checkedAt: at(now - hour - 1_000) }, {}],
    ['a domain that was never looked at does not', {}, {}],
  ])('%s', (_, check, counts) => {
    expect(counted(countChecked([domain({ status: { check } })], now))).toEqual(counts);
  });
});

describe('orders of the last three hours', () => {
  it('counts each order of each claim by its outcome, and none before', () => {
    const order = (ago: number, outcome: 'Pending' | 'Issued' | 'Failed') => ({
      request: 'r',
      at: at(now - ago),
      outcome,
    });
    const claims = [
      claim({ orders: [order(4 * hour, 'Failed'), order(2 * hour, 'Failed'), order(hour, 'Issued')] }),
      claim({ orders: [order(1_000, 'Issued')] }),
      claim(),
    ];
    expect(counted(countOrders(claims, now))).toEqual({ Failed: 1, Issued: 2 });
  });
});
