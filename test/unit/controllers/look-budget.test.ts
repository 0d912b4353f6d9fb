import { expect, it } from '@jest/globals';
import { nextDnsCheckAt } from '../../../src/controllers/project-domain/check-due.ts';
import { readCheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import { minutes } from '../../../src/rules/check-schedule.ts';
import { domain, heldBy, now, settings, snapshot } from '../../support/snapshot.ts';

/** The time between two scheduled checks of a Live domain that the operator keeps beside so many served ones. */
function intervalBeside(served: number, looksPerSecond: number): number {
  const live = domain({ status: { state: 'Live' } });
  const checkStatus = { ...readCheckStatus(live), startedAt: 0, checkedAt: now };
  const at = (moment: number) =>
    nextDnsCheckAt(
      snapshot({
        ...heldBy,
        domain: live,
        now: moment,
        leadingSince: 0,
        settings: { ...settings, looksPerSecond },
        failureCounts: { served, failing: 0, namespaces: 1, failingNamespaces: 0 },
      }),
      { ...checkStatus, checkedAt: moment },
      'Live',
    ) ?? Number.NaN;
  const first = at(now);
  return at(first) - first;
}

it.each([
  [1, 50, 15],
  [45_000, 50, 15],
  [45_001, 50, 30],
  [100_000, 50, 45],
  [100_000, 200, 15],
])('%i served domains at %i looks a second are each checked every %i minutes', (served, looksPerSecond, interval) => {
  expect(intervalBeside(served, looksPerSecond)).toBe(interval * minutes);
});
