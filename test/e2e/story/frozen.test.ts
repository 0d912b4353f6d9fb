import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { askHttps } from '../../../dev/lib/https.ts';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import {
  closeStoryEnvironmentsAfterEach,
  nothingTwice,
  openStoryEnvironment,
  playOn,
  stepsOf,
  withoutQuota,
} from '../../support/story-environment.ts';
import type { Visits } from '../../support/visits.ts';
import { visitInTurn } from '../../support/visits.ts';

closeStoryEnvironmentsAfterEach();

describe('the API server frozen in the middle, for longer than an operator keeps its lease', () => {
  it(
    'the story goes on to its end, nothing is ordered twice, and what was Live never stops being served',
    async () => {
      const { platform, stage } = await openStoryEnvironment(90_000);
      const { ingressAddress, acmeRoot } = platform.facts;
      const ca = readFileSync(acmeRoot);
      const steps = stepsOf(withoutQuota);
      const first = await playOn(stage, steps.slice(0, 6));
      const visits = visitInTurn(['www.example.com'], async (hostname) => {
        const { status } = await askHttps({ address: ingressAddress, ca, hostname });
        return status === 200 ? null : `status ${status}`;
      });
      await frozenFor(platform, visits);
      const rest = await playOn(stage, steps.slice(6));
      const { failed } = await visits.end();
      expect([first.failed, rest.failed, failed]).toEqual([undefined, undefined, []]);
      await nothingTwice(platform);
    },
    platformDeadlineMs,
  );
});

/** Thaws it once the operator has ended, as it could not renew its lease, and visitors have come since. */
async function frozenFor({ controlPlane, ours }: Platform, visits: Visits): Promise<void> {
  const { apiServer } = controlPlane.parts;
  const pid = ours('operator')?.pid;
  apiServer.signal('SIGSTOP');
  try {
    await eventually('the operator has given up its lease, and is started again', 60_000, () => {
      expectThat(ours('operator')?.pid !== pid, 'it still runs');
      return Promise.resolve();
    });
    await visits.further(100);
  } finally {
    apiServer.signal('SIGCONT');
  }
}
