import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { askHttps } from '../../../dev/lib/https.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import {
  closeStoryEnvironmentsAfterEach,
  nothingTwice,
  openStoryEnvironment,
  playOn,
  stepsOf,
  withoutQuota,
} from '../../support/story-environment.ts';

closeStoryEnvironmentsAfterEach();

describe('the API server frozen for thirty seconds in the middle', () => {
  it(
    'the story goes on to its end, nothing is ordered twice, and what was Live never stops being served',
    async () => {
      const { platform, stage } = await openStoryEnvironment(90_000);
      const { ingressAddress, acmeRoot } = platform.facts;
      const ca = readFileSync(acmeRoot);
      let misses = 0;
      let asked = 0;
      let ended = false;
      const steps = stepsOf(withoutQuota).map((step) => ({
        name: step.name,
        play: () => (step.name === 'apex-live' ? frozenDuring(platform, () => step.play(stage)) : step.play(stage)),
      }));
      const visitor = async () => {
        while (!ended) {
          const { status } = await askHttps({ address: ingressAddress, ca, hostname: 'www.example.com' }).catch(() => ({
            status: 0,
          }));
          if (status !== 200) misses += 1;
          asked += 1;
          await systemClock.sleep(250);
        }
      };
      const first = await playOn(stage, steps.slice(0, 6));
      const visiting = visitor();
      const rest = await playOn(stage, steps.slice(6));
      ended = true;
      await visiting;
      expect([first.failed, rest.failed, misses]).toEqual([undefined, undefined, 0]);
      expect(asked).toBeGreaterThan(60);
      await nothingTwice(platform);
    },
    platformDeadlineMs,
  );
});

async function frozenDuring({ controlPlane }: Platform, act: () => Promise<string>): Promise<string> {
  const { apiServer } = controlPlane.parts;
  apiServer.signal('SIGSTOP');
  const frozen = systemClock.sleep(30_000).then(() => apiServer.signal('SIGCONT'));
  const [told] = await Promise.all([frozen.then(act), frozen]);
  return told;
}
