import { describe, expect, it } from '@jest/globals';
import type { RecentCheck } from '../../../src/controllers/project-domain/recent-checks.ts';
import { rememberChecks } from '../../../src/operator/check-freshness.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { domain, now, routes } from '../../support/snapshot.ts';

const hour = 3_600_000;
const minute = 60_000;
const second = 1_000;

const recent = (changes: Partial<RecentCheck>): RecentCheck => ({
  checkedAt: now,
  fullyCheckedAt: null,
  writtenAt: null,
  nextAt: null,
  routing: null,
  settledUntil: null,
  unansweredSince: null,
  routeLostAt: null,
  edgeSilentSince: null,
  former: null,
  ...changes,
});

const emptyStores = () =>
  createOperatorStores(routes, (error) => {
    throw error;
  });

describe('what DNS said within the hour', () => {
  it.each<[sentence: string, check: Partial<RecentCheck>, counts: object]>([
    ['a fresh unknown counts', { routing: 'Unknown', checkedAt: now - hour + minute }, { Unknown: 1 }],
    ['what is older than an hour does not', { routing: 'Unknown', checkedAt: now - hour - minute }, {}],
    ['a domain that was never checked does not', { checkedAt: null }, {}],
  ])('%s', (_, check, counts) => {
    const { recentChecks, freshness } = rememberChecks(emptyStores().domains);
    recentChecks.record('a', recent(check));
    expect(Object.fromEntries(freshness.checked(now))).toEqual({ Yes: 0, No: 0, Unknown: 0, ...counts });
  });
});

describe('how late DNS checks are', () => {
  it.each<[sentence: string, next: readonly (number | null)[], least: number, most: number]>([
    [
      'is the lag of the one that is due longest',
      [now + hour, now - second, now - minute],
      minute - 10 * second,
      minute,
    ],
    ['is nothing while all are still to come, or none are', [now + second, null], 0, 0],
    ['is nothing without a domain', [], 0, 0],
  ])('%s', (_, next, least, most) => {
    const { recentChecks, freshness } = rememberChecks(emptyStores().domains);
    for (const [index, nextAt] of next.entries()) recentChecks.record(String(index), recent({ nextAt }));
    expect(freshness.lag(now)).toBeGreaterThanOrEqual(least);
    expect(freshness.lag(now)).toBeLessThanOrEqual(most);
  });
});

it('the figures follow the memory: would fail if an entry that was replaced or forgotten were counted further', () => {
  const { recentChecks, freshness } = rememberChecks(emptyStores().domains);
  recentChecks.record('a', recent({ routing: 'No', nextAt: now - hour }));
  recentChecks.record('b', recent({ routing: 'Yes', nextAt: now + hour }));
  recentChecks.record('a', recent({ routing: 'Yes', nextAt: now + hour }));
  expect([freshness.checked(now).get('No'), freshness.checked(now).get('Yes'), freshness.lag(now)]).toEqual([0, 2, 0]);
  recentChecks.forget('a');
  recentChecks.forget('a');
  expect(freshness.checked(now).get('Yes')).toBe(1);
});

describe('the memory of checks', () => {
  const subject = domain();
  const another = { ...subject, metadata: { ...subject.metadata, uid: 'another', resourceVersion: '2' } };

  it.each<[sentence: string, kept: boolean, change: (stores: ReturnType<typeof createOperatorStores>) => void]>([
    ['goes with the domain', false, (stores) => stores.domains.drop(subject)],
    [
      'goes when its removal begins, however long a finalizer keeps it: it is not checked any more, so never late',
      false,
      (stores) =>
        stores.domains.put({
          ...subject,
          metadata: { ...subject.metadata, resourceVersion: '2', deletionTimestamp: '2026-11-21T10:00:00Z' },
        }),
    ],
    ['goes with one that was made anew under its name', false, (stores) => stores.domains.put(another)],
    [
      'stays when the domain changes',
      true,
      (stores) =>
        stores.domains.put({ ...subject, metadata: { ...subject.metadata, resourceVersion: '2' }, status: {} }),
    ],
  ])('%s', (_, kept, change) => {
    const stores = emptyStores();
    const { recentChecks: checks } = rememberChecks(stores.domains);
    const { uid = '' } = subject.metadata;
    stores.domains.put({ ...subject, metadata: { ...subject.metadata, resourceVersion: '1' } });
    checks.record(uid, recent({}));
    change(stores);
    expect(checks.of(uid) !== undefined).toBe(kept);
  });
});
