import { describe, expect, it } from '@jest/globals';
import type { RecentCheck } from '../../../src/controllers/project-domain/recent-checks.ts';
import { checkLag, countChecked, rememberChecks } from '../../../src/operator/check-freshness.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { domain, now, routes } from '../../support/snapshot.ts';

const hour = 3_600_000;
const second = 1_000;

const recent = (changes: Partial<RecentCheck>): RecentCheck => ({
  checkedAt: now,
  fullyCheckedAt: null,
  writtenAt: null,
  nextAt: null,
  routing: null,
  ...changes,
});

describe('what DNS said within the hour', () => {
  it.each<[sentence: string, check: Partial<RecentCheck>, counts: object]>([
    ['a fresh unknown counts', { routing: 'Unknown', checkedAt: now - hour + second }, { Unknown: 1 }],
    ['what is older than an hour does not', { routing: 'Unknown', checkedAt: now - hour - second }, {}],
    ['a domain that was never checked does not', { checkedAt: null }, {}],
  ])('%s', (_, check, counts) => {
    expect(Object.fromEntries(countChecked([recent(check)], now))).toEqual({ Yes: 0, No: 0, Unknown: 0, ...counts });
  });
});

describe('how late DNS checks are', () => {
  it.each<[sentence: string, next: readonly (number | null)[], lag: number]>([
    ['is the lag of the one that has been due longest', [now + hour, now - second, now - 9 * second], 9 * second],
    ['is nothing while all are still to come, or none are', [now + second, null], 0],
    ['is nothing without a domain', [], 0],
  ])('%s', (_, next, lag) => {
    const checks = next.map((nextAt) => recent({ nextAt }));
    expect(checkLag(checks, now)).toBe(lag);
  });
});

describe('the memory of checks', () => {
  const subject = domain();
  const another = { ...subject, metadata: { ...subject.metadata, uid: 'another', resourceVersion: '2' } };

  it.each<[sentence: string, kept: boolean, change: (stores: ReturnType<typeof createOperatorStores>) => void]>([
    ['goes with the domain', false, (stores) => stores.domains.drop(subject)],
    ['goes with one that was made anew under its name', false, (stores) => stores.domains.put(another)],
    [
      'stays when the domain changes',
      true,
      (stores) =>
        stores.domains.put({ ...subject, metadata: { ...subject.metadata, resourceVersion: '2' }, status: {} }),
    ],
  ])('%s', (_, kept, change) => {
    const stores = createOperatorStores(routes, (error) => {
      throw error;
    });
    const checks = rememberChecks(stores.domains);
    const { uid = '' } = subject.metadata;
    stores.domains.put({ ...subject, metadata: { ...subject.metadata, resourceVersion: '1' } });
    checks.record(uid, recent({}));
    change(stores);
    expect(checks.of(uid) !== undefined).toBe(kept);
  });
});
