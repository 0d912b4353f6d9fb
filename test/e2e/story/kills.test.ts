import { describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { leap } from '../../support/leap.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import {
  closeStoryEnvironmentsAfterEach,
  nothingTwice,
  openStoryEnvironment,
  playOn,
  stepsOf,
  withoutQuota,
} from '../../support/story-environment.ts';

/** `npm run campaign:kills` kills at every step. */
const killedAt = (step: string): boolean =>
  process.env.CAMPAIGN === 'kills' || ['verified', 'live', 'redirect-live'].includes(step);

interface Lease {
  readonly spec: { readonly holderIdentity?: string };
}

/** The next operator waits until the dead leader's lease has ended, and its clock leaps over that. */
async function killAndFollow({ kubectl, facts, ours }: Platform): Promise<void> {
  const leader = async () =>
    (await kubectl.get<Lease>('lease', 'projectdomain-operator', systemNamespace))?.spec.holderIdentity;
  const dead = await leader();
  ours('operator')?.signal('SIGKILL');
  await eventually('another operator leads', 60_000, async () => {
    await leap(facts, 2_000);
    expectThat((await leader()) !== dead, `${dead} does`);
  });
}

closeStoryEnvironmentsAfterEach();

describe('the story', () => {
  it(
    'is told to its end by operators that are killed on the way, with nothing done twice',
    async () => {
      const { platform, stage } = await openStoryEnvironment(90_000, { leaps: true });
      const steps = stepsOf(withoutQuota).map((step) => ({
        name: step.name,
        play: async (on: Stage) => {
          const told = step.play(on);
          if (killedAt(step.name)) await Promise.all([told, killAndFollow(platform)]);
          return told;
        },
      }));
      expect((await playOn(stage, steps)).failed).toBeUndefined();
      await nothingTwice(platform);
    },
    platformDeadlineMs * 2,
  );
});
