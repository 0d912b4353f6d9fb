import { describe, expect, it } from '@jest/globals';
import type { CountEntry, RecentCheck } from '../../../src/controllers/project-domain/recent-checks.ts';
import { createRecentChecks } from '../../../src/controllers/project-domain/recent-checks.ts';

const at = Date.parse('2026-11-21T12:00:00Z');
const never: RecentCheck = {
  checkedAt: null,
  fullyCheckedAt: null,
  writtenAt: null,
  nextAt: null,
  routing: null,
  settledUntil: null,
  unansweredSince: null,
  routeLostAt: null,
  edgeSilentSince: null,
  former: null,
};
const checked: RecentCheck = { ...never, checkedAt: at, fullyCheckedAt: at, nextAt: at + 5_000, routing: 'Yes' };

describe('what a process remembers of checks', () => {
  it.each<[sentence: string, recorded: RecentCheck, remembered: RecentCheck]>([
    ['has the times that were recorded, to the millisecond', checked, checked],
    ['has none where none was recorded', never, never],
    ['has whole milliseconds', { ...checked, nextAt: at + 0.4 }, { ...checked, nextAt: at }],
    ['keeps what never comes', { ...checked, nextAt: Infinity }, { ...checked, nextAt: Infinity }],
    [
      'has times years before and after the first one, which take more room',
      { ...checked, checkedAt: 0, nextAt: at * 2 },
      { ...checked, checkedAt: 0, nextAt: at * 2 },
    ],
  ])('%s', (_, recorded, remembered) => {
    const checks = createRecentChecks();
    checks.record('first', checked);
    checks.record('second', recorded);
    expect(checks.of('first')).toEqual(checked);
    expect(checks.of('second')).toEqual(remembered);
  });

  it('takes out of its counts exactly what it has put in, or they would drift for ever', () => {
    const counted = new Map<string, number>();
    const count: CountEntry = (check, by) => {
      const entry = JSON.stringify(check);
      counted.set(entry, (counted.get(entry) ?? 0) + by);
    };
    const checks = createRecentChecks(count);
    checks.record('one', { ...checked, nextAt: at + 0.4 });
    checks.record('one', { ...checked, nextAt: at + 1.6 });
    checks.record('other', never);
    checks.forget('one');
    checks.forget('other');
    expect([...counted.values()]).toEqual([0, 0, 0]);
  });
});
