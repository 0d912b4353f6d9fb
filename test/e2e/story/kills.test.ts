import { describe, expect, it } from '@jest/globals';
import type { Stage } from '../../../dev/story/stage.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import {
  closeStoryEnvironmentsAfterEach,
  nothingTwice,
  openStoryEnvironment,
  playOn,
  stepsOf,
  withoutQuota,
} from '../../support/story-environment.ts';

/** `npm run campaign:kills` kills at every step; each kill costs the wait for the dead leader's lease. */
const killedAt = (step: string): boolean =>
  process.env.CAMPAIGN === 'kills' || ['verified', 'live', 'redirect-live'].includes(step);

closeStoryEnvironmentsAfterEach();

describe('the story', () => {
  it(
    'is told to its end by operators that are killed on the way, with nothing done twice',
    async () => {
      const { platform, stage } = await openStoryEnvironment(90_000);
      const steps = stepsOf(withoutQuota).map((step) => ({
        name: step.name,
        play: (on: Stage) => {
          const told = step.play(on);
          if (killedAt(step.name)) platform.ours('operator')?.signal('SIGKILL');
          return told;
        },
      }));
      expect((await playOn(stage, steps)).failed).toBeUndefined();
      await nothingTwice(platform);
    },
    platformDeadlineMs * 2,
  );
});
