import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import type { FaultInjection } from '../../../dev/story/story.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import { minuteGoesBy } from '../../support/quota-minute.ts';
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

/** What the step makes first, and waits for, is there already: so it is its requests alone that fail. */
async function isKnown(freeAccount: string): Promise<void> {
  const { stage } = platform;
  await stage.account(freeAccount, 'free');
  await stage.kubectl.apply({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Project',
    metadata: { name: `${freeAccount}-hobby`, namespace: freeAccount },
    spec: { service: { name: 'hobby-web', port: 8080 } },
  });
  const rest = await stage.rest(freeAccount);
  await eventually('the API knows the project', 60_000, async () => {
    const { status } = await rest(`/v1/projects/${freeAccount}-hobby/domains`);
    expectThat(status === 200, `status ${status}`);
  });
}

describe('the story', () => {
  it(
    'is told to its end, and its later steps fail by their names while what they rest on is away',
    async () => {
      const { stage } = platform;
      const before = [...stepsOf(beforeRest), ...named('redirect-live')];
      expect((await playOn(stage, before)).failed).toBeUndefined();

      const leaping = { ...stage, waits: (ms: number) => minuteGoesBy(platform.facts, ms) };
      const failure = async (on: Stage, step: string, faultInjection?: FaultInjection) =>
        (await playOn(on, named(step, faultInjection))).failed;
      /** What is away is so for good: it fails at the first look. */
      const impatient = { ...stage, patienceMs: 0 };
      await platform.act('stop redirector');
      expect(await failure(impatient, 'redirect-live')).toEqual(because('redirect-live', 'answered 502'));
      await platform.act('start redirector');
      expect(await failure(stage, 'redirect-live')).toBeUndefined();
      const after = [...named('quota'), ...named('removed')];
      expect((await playOn(leaping, after)).failed).toBeUndefined();

      await isKnown('tiny-two');
      await platform.act('freeze redis');
      expect(await failure(impatient, 'quota', { freeAccount: 'tiny-two' })).toEqual(because('quota', 'Redis is away'));
      await platform.act('thaw redis');
      await platform.act('stop api-server');
      expect(await failure(impatient, 'removed')).toEqual(because('removed', 'fetch failed'));
      await platform.act('start api-server');
      const rest = await stage.rest('acme');
      await platform.kubectl.run(['delete', 'apikeys', '--all']);
      await eventually('the API knows the key no more', 20_000, async () => {
        expectThat((await rest('/v1/account/usage')).status === 401, 'it does');
      });
      expect(await failure(impatient, 'redirect-live')).toEqual(because('redirect-live', 'answered 401'));
    },
    platformDeadlineMs,
  );
});
