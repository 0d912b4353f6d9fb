import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Crowd } from '../../support/crowd.ts';
import { createCrowd } from '../../support/crowd.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

/** What a new leader queues. Fails when it passes over what changed while nobody led. */

let crowd: Crowd;
let clock: FakeClock;

beforeEach(() => {
  clock = createFakeClock(Date.parse('2026-02-01T00:00:00Z'));
  crowd = createCrowd({ accounts: 4, domainsEach: 2 }, clock);
});

afterEach(() => crowd.close());

describe('a new leader', () => {
  it('visits everything at once, as anything may have changed while nobody led', async () => {
    const steps = crowd.connect();
    for (let before = -1; before !== steps.count();) {
      before = steps.count();
      await clock.advance(0);
    }
    // A key is due at the next whole millisecond.
    await clock.advance(1);
    const { account, project, projectDomain } = crowd.queues;
    expect([account.depth(), project.depth(), projectDomain.depth()]).toEqual([4, 4, 8]);
  });
});
