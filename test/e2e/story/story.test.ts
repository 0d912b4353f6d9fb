import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { FaultInjection } from '../../../dev/story/story.ts';
import { platformDeadlineMs, testStage } from '../../support/platform.ts';
import type { SharedPlatform } from '../../support/shared-platform.ts';
import { sharedPlatform } from '../../support/shared-platform.ts';
import { beforeRest, playOn, stepsOf } from '../../support/story-environment.ts';

/** The story on real parts; and that its later steps fail, by name, while what they rest on is away. */

let platform: SharedPlatform;

beforeAll(async () => {
  platform = await sharedPlatform(90_000);
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

const named = (name: string, faultInjection: FaultInjection = {}) =>
  stepsOf((step) => step.name === name, faultInjection);

const because = (step: string, words: string) => ({
  name: step,
  message: expect.stringContaining(words) as unknown,
});

describe('the story', () => {
  it(
    'is told to its end, and its later steps fail by their names while what they rest on is away',
    async () => {
      const { stage } = platform;
      const before = [...stepsOf(beforeRest), ...named('redirect-live')];
      expect((await playOn(stage, before)).failed).toBeUndefined();

      const impatient = testStage(platform, 8_000);
      const failure = async (step: string, faultInjection?: FaultInjection) =>
        (await playOn(impatient, named(step, faultInjection))).failed;
      await platform.act('stop redirector');
      expect(await failure('redirect-live')).toEqual(because('redirect-live', 'answered 502'));
      await platform.act('start redirector');
      expect(await failure('redirect-live')).toBeUndefined();
      const after = [...named('quota'), ...named('removed')];
      expect((await playOn(stage, after)).failed).toBeUndefined();

      await platform.act('freeze redis');
      expect(await failure('quota', { freeAccount: 'tiny-two' })).toEqual(because('quota', 'Redis is away'));
      await platform.act('thaw redis');
      await platform.act('stop api-server');
      expect(await failure('removed')).toEqual(because('removed', 'fetch failed'));
      await platform.act('start api-server');
      const rest = await impatient.rest('acme');
      await platform.kubectl.run(['delete', 'apikeys', '--all']);
      await eventually('the API knows the key no more', 20_000, async () => {
        expectThat((await rest('/v1/account/usage')).status === 401, 'it does');
      });
      expect(await failure('redirect-live')).toEqual(because('redirect-live', 'answered 401'));
    },
    platformDeadlineMs,
  );
});
