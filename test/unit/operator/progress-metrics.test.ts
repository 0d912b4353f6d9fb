import { describe, expect, it } from '@jest/globals';
import { measureProgress, createOperatorMetrics } from '../../../src/operator/metrics.ts';
import type { TimelineEntry } from '../../../src/rules/timeline.ts';
import { domain } from '../../support/snapshot.ts';

const none = () => new Map<string, number>();
const metrics = () =>
  createOperatorMetrics({
    isReady: () => true,
    isLeading: () => true,
    certManagerUnavailable: () => false,
    domainsByState: none,
    certificates: none,
    issuance: none,
    platformHostnames: none,
    orders: none,
    unconfirmed: none,
    revocations: none,
    ledger: none,
    acmeOrdersLeft: none,
    acmeAccounts: none,
    checked: none,
    checkLag: () => 0,
    suspensionsHeld: () => 0,
    driftInterval: () => 900_000,
    staleness: none,
    objects: none,
    queueAges: () => [],
    stretch: () => [],
    depth: none,
    slow: none,
  });

const entered = (state: string, at: string) => ({ state, at, reason: 'x', message: 'x' });
const told = (state: string, at: string) => ({ ...entered(state, at), kind: 'Certificate' as const });
const first: readonly TimelineEntry[] = [
  entered('Unverified', '2026-01-01T12:00:00Z'),
  entered('Verified', '2026-01-01T12:10:00Z'),
  entered('Live', '2026-01-01T12:10:15Z'),
];

describe('the time from Verified to Live', () => {
  it.each<[sentence: string, timeline: readonly TimelineEntry[], sum: string, count: string]>([
    ['is measured when a domain becomes Live', first, '15', '1'],
    ['counts from the last Verified before it', [entered('Verified', '2026-01-01T11:00:00Z'), ...first], '15', '1'],
    [
      'is not measured from what happened in a state',
      [
        ...first.slice(0, 2),
        told('Verified', '2026-01-01T12:10:10Z'),
        ...first.slice(2),
        told('Live', '2026-01-01T12:11:00Z'),
      ],
      '15',
      '1',
    ],
    ['is not measured a second time', [...first, entered('Live', '2026-01-02T12:00:00Z')], '0', '0'],
    ['is not measured of a domain that was never Verified', first.slice(2), '0', '0'],
  ])('%s', async (_, timeline, sum, count) => {
    const figures = metrics();
    const previous = domain({ status: { state: 'Verified' } });
    measureProgress({ type: 'modified', object: domain({ status: { state: 'Live', timeline } }), previous }, figures);
    const text = await figures.text();
    expect(text).toContain(`projectdomain_verified_to_live_seconds_sum ${sum}\n`);
    expect(text).toContain(`projectdomain_verified_to_live_seconds_count ${count}\n`);
  });
});
