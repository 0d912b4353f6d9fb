import { afterAll, describe, expect, it } from '@jest/globals';
import type { Stage } from '../../../dev/story/stage.ts';
import type { FaultInjection } from '../../../dev/story/story.ts';
import { platformDeadlineMs, stageWithin, testStage } from '../../support/platform.ts';
import type { StoryEnvironment } from '../../support/story-environment.ts';
import {
  beforeRest,
  closeStoryEnvironmentsAfterEach,
  openStoryEnvironment,
  playOn,
  stepsOf,
} from '../../support/story-environment.ts';

/** How long is waited for what must not come; what comes may take as long as in the story. */
const impatienceMs = 35_000;
const patienceMs = 90_000;

closeStoryEnvironmentsAfterEach();

/** Plays from one step on, and expects it to fail at another. */
async function failsAt(
  { platform, stage }: StoryEnvironment,
  step: string,
  from: string,
  faultInjection: FaultInjection = {},
): Promise<void> {
  const steps = stepsOf(beforeRest, faultInjection);
  const [first, last] = [from, step].map((wanted) => steps.findIndex(({ name }) => name === wanted));
  expect((await playOn(stage, steps.slice(first, last))).failed).toBeUndefined();
  const impatient = { ...stageWithin(platform, impatienceMs), tenant: stage.tenant };
  expect((await playOn(impatient, steps.slice(last, (last ?? 0) + 1))).failed?.name).toBe(step);
}

describe('the story fails at the named step', () => {
  let second: Stage | undefined;
  afterAll(() => second?.close());

  it(
    'without the operator: platform-hostname; with it, and with a wrong record: verified; with the right one, while CAA forbids: live',
    async () => {
      const first = await openStoryEnvironment(patienceMs);
      const { platform } = first;
      await platform.ours('operator')?.stop();
      await failsAt(first, 'platform-hostname', 'platform-hostname');
      await first.stage.close();
      await platform.restart('operator');
      second = testStage(platform, patienceMs);
      const target = 'p-aaaaaaaaaaaaaaaaaaaaaaaaaa.cname.apps.example.net';
      await failsAt({ platform, stage: second }, 'verified', 'platform-hostname', { target });
      await failsAt({ platform, stage: second }, 'live', 'verified', { keepCaa: true });
    },
    platformDeadlineMs,
  );

  it(
    'without the solver: platform-hostname',
    async () => {
      const environment = await openStoryEnvironment(patienceMs);
      await environment.platform.parts.solver.stop();
      await failsAt(environment, 'platform-hostname', 'platform-hostname');
    },
    platformDeadlineMs,
  );
});
