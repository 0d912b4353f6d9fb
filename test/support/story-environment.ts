import { afterEach } from '@jest/globals';
import type { Platform } from '../../dev/platform/platform.ts';
import { play } from '../../dev/story/play.ts';
import type { Played } from '../../dev/story/play.ts';
import type { Stage } from '../../dev/story/stage.ts';
import type { FaultInjection, Step } from '../../dev/story/story.ts';
import { story } from '../../dev/story/story.ts';
import type { TestPlatformOptions } from './platform.ts';
import { platformDeadlineMs, testPlatform, testStage } from './platform.ts';

/** A platform on which a story is played; taken down after each test. */
export interface StoryEnvironment {
  readonly platform: Platform;
  readonly stage: Stage;
}

const open: StoryEnvironment[] = [];

/** Opens an environment; `patienceMs` is how long each thing of the story may take to show, as with `eventually`. */
export async function openStoryEnvironment(
  patienceMs: number,
  options: TestPlatformOptions = {},
): Promise<StoryEnvironment> {
  const platform = await testPlatform(true, options);
  const environment = { platform, stage: testStage(platform, patienceMs) };
  open.push(environment);
  return environment;
}

/** To be called once in a test file. */
export function closeStoryEnvironmentsAfterEach(): void {
  afterEach(async () => {
    for (const { stage, platform } of open.splice(0)) {
      await stage.close();
      await platform.stop();
    }
  }, platformDeadlineMs);
}

export type Chosen = (step: Step) => boolean;

const restSteps = ['redirect-live', 'quota', 'removed'];
export const beforeRest: Chosen = ({ name }) => !restSteps.includes(name);
/** The quota rests on no operator, and its minute is waited for once. */
export const withoutQuota: Chosen = ({ name }) => name !== 'quota';

export const stepsOf = (chosen: Chosen, faultInjection: FaultInjection = {}): readonly Step[] =>
  story(faultInjection).filter(chosen);

/** Silent: some tests play a story that must fail, and what failed is in the result. */
export const playOn = (stage: Stage, steps: readonly Step[]): Promise<Played> => play(steps, stage, () => undefined);

/** Of no hostname two orders were placed. Rejects with the names otherwise. */
export async function nothingTwice({ kubectl }: Platform): Promise<void> {
  const orders = await kubectl.run(['get', 'orders', '-A', '-o', 'jsonpath={.items[*].spec.dnsNames[0]}']);
  const names = orders.trim().split(/\s+/);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`ordered twice: ${twice.join(', ')}`);
}
