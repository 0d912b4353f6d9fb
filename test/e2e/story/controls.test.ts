import { describe, expect, it } from '@jest/globals';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { Sabotage } from '../../../dev/story/story.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import { beforeRest, closeTheatresAfterEach, openTheatre, playOn, stepsOf } from '../../support/theatre.ts';

/** Long enough for everything before the step that must fail, short enough to wait it out. */
const impatienceMs = 35_000;

closeTheatresAfterEach();

describe('the story fails at the named step', () => {
  it.each<[string, string, (platform: Platform) => Promise<void>, Sabotage]>([
    ['without the operator', 'platform-hostname', async (on) => void (await on.ours('operator')?.stop()), {}],
    ['without the solver', 'platform-hostname', async (on) => on.parts.solver.stop(), {}],
    [
      'with a wrong record',
      'verified',
      () => Promise.resolve(),
      { target: 'p-aaaaaaaaaaaaaaaaaaaaaaaaaa.cname.apps.example.net' },
    ],
    ['while CAA forbids', 'live', () => Promise.resolve(), { keepCaa: true }],
  ])(
    '%s: %s',
    async (_, step, takeAway, sabotage) => {
      const { platform, stage } = await openTheatre(impatienceMs);
      await takeAway(platform);
      const played = await playOn(stage, stepsOf(beforeRest, sabotage));
      expect(played.ok).toBe(false);
      expect(played.failed?.name).toBe(step);
    },
    platformDeadlineMs,
  );
});
