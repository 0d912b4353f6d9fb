import { describe, expect, it } from '@jest/globals';
import type { Sabotage } from '../../../dev/story/story.ts';
import { platformDeadlineMs, testStage } from '../../support/platform.ts';
import { beforeRest, closeTheatresAfterEach, openTheatre, playOn, stepsOf } from '../../support/theatre.ts';

/** The story on real parts; and that its later steps fail, by name, while what they rest on is away. */

closeTheatresAfterEach();

describe('the story', () => {
  it(
    'is told to its end, and its later steps fail by their names while what they rest on is away',
    async () => {
      const { platform, stage } = await openTheatre(90_000);
      expect(await playOn(stage, stepsOf(beforeRest))).toMatchObject({ ok: true });
      const impatient = testStage(platform, 8_000);
      const failing = async (step: string, sabotage: Sabotage = {}) =>
        (
          await playOn(
            impatient,
            stepsOf(({ name }) => name === step, sabotage),
          )
        ).failed?.name;

      await platform.ours('redirector')?.stop();
      expect(await failing('redirect-live')).toBe('redirect-live');
      await platform.restart('redirector');
      expect(
        await playOn(
          stage,
          stepsOf((step) => !beforeRest(step)),
        ),
      ).toMatchObject({ ok: true });

      platform.parts.redis.signal('SIGSTOP');
      expect(await failing('quota', { freeAccount: 'tiny-two' })).toBe('quota');
      platform.parts.redis.signal('SIGCONT');
      await platform.ours('api-server')?.stop();
      expect(await failing('removed')).toBe('removed');
      await platform.restart('api-server');
      await platform.kubectl.run(['delete', 'apikeys', '--all']);
      expect(await failing('redirect-live')).toBe('redirect-live');
    },
    platformDeadlineMs,
  );
});
