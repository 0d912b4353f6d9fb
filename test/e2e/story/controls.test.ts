import { afterAll, describe, expect, it } from '@jest/globals';
import type { Stage } from '../../../dev/story/stage.ts';
import type { FaultInjection } from '../../../dev/story/story.ts';
import { platformDeadlineMs, stageWithin } from '../../support/platform.ts';
import {
  beforeRest,
  closeStoryEnvironmentsAfterEach,
  openStoryEnvironment,
  playOn,
  stepsOf,
} from '../../support/story-environment.ts';

/** Long enough for everything before the step that must fail, short enough to wait it out. */
const impatienceMs = 35_000;

closeStoryEnvironmentsAfterEach();

/** Plays from one step on, and expects it to fail at another. */
async function failsAt(stage: Stage, step: string, from: string, faultInjection: FaultInjection = {}): Promise<void> {
  const steps = stepsOf(beforeRest, faultInjection);
  const played = await playOn(stage, steps.slice(steps.findIndex(({ name }) => name === from)));
  expect(played.ok).toBe(false);
  expect(played.failed?.name).toBe(step);
}

describe('the story fails at the named step', () => {
  let second: Stage | undefined;
  afterAll(() => second?.close());

  it(
    'without the operator: platform-hostname; with it, and with a wrong record: verified; with the right one, while CAA forbids: live',
    async () => {
      const { platform, stage } = await openStoryEnvironment(impatienceMs);
      await platform.ours('operator')?.stop();
      await failsAt(stage, 'platform-hostname', 'platform-hostname');
      await stage.close();
      await platform.restart('operator');
      second = stageWithin(platform, impatienceMs);
      const target = 'p-aaaaaaaaaaaaaaaaaaaaaaaaaa.cname.apps.example.net';
      await failsAt(second, 'verified', 'platform-hostname', { target });
      await failsAt(second, 'live', 'verified', { keepCaa: true });
    },
    platformDeadlineMs,
  );

  it(
    'without the solver: platform-hostname',
    async () => {
      const { platform, stage } = await openStoryEnvironment(impatienceMs);
      await platform.parts.solver.stop();
      await failsAt(stage, 'platform-hostname', 'platform-hostname');
    },
    platformDeadlineMs,
  );
});
