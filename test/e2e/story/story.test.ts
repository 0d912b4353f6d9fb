import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { askHttps } from '../../../dev/lib/https.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import { play } from '../../../dev/story/play.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import type { Sabotage } from '../../../dev/story/story.ts';
import { story } from '../../../dev/story/story.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';

/** The story on real parts; and that it fails, at the named step, when what it rests on is taken away. */

const patienceMs = 90_000;
/** Long enough for everything before the step that must fail, short enough to wait it out. */
const impatienceMs = 35_000;

let platform: Platform | undefined;
let stage: Stage | undefined;

afterEach(async () => {
  await stage?.close();
  await platform?.stop();
  platform = undefined;
  stage = undefined;
}, platformDeadlineMs);

/** `npm run campaign:kills` kills at every step; each kill costs the wait for the dead leader's lease. */
const killedAt = (step: string): boolean =>
  process.env.CAMPAIGN === 'kills' || ['verified', 'live', 'apex-live'].includes(step);

const tell = (line: string) => process.stderr.write(`${line}\n`);

async function playOn(started: Platform, sabotage: Sabotage, patience: number) {
  platform = started;
  stage = testStage(started, patience);
  return play(story(sabotage), stage, tell);
}

describe('the story', () => {
  it(
    'is told to its end',
    async () => {
      const played = await playOn(await testPlatform(true), {}, patienceMs);
      expect(played).toMatchObject({ ok: true });
    },
    platformDeadlineMs,
  );

  it(
    'is told to its end by operators that are killed on the way, with nothing done twice',
    async () => {
      const started = await testPlatform(true);
      platform = started;
      stage = testStage(started, patienceMs);
      const steps = story().map((step) => ({
        name: step.name,
        play: (on: Stage) => {
          const told = step.play(on);
          if (killedAt(step.name)) started.ours('operator')?.signal('SIGKILL');
          return told;
        },
      }));
      const played = await play(steps, stage, tell);
      expect(played).toMatchObject({ ok: true });
      await nothingTwice(started);
    },
    platformDeadlineMs * 2,
  );
});

describe('the API server frozen for thirty seconds in the middle', () => {
  it(
    'the story goes on to its end, nothing is ordered twice, and what was Live never stops being served',
    async () => {
      const started = await testPlatform(true);
      platform = started;
      stage = testStage(started, patienceMs);
      const on = stage;
      const { ingressAddress, acmeRoot } = started.facts;
      const ca = readFileSync(acmeRoot);
      let misses = 0;
      let asked = 0;
      let ended = false;
      const steps = story().map((step) => ({
        name: step.name,
        play: () => (step.name === 'apex-live' ? frozenDuring(started, () => step.play(on)) : step.play(on)),
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
      const first = await play(steps.slice(0, 6), stage, tell);
      const visiting = visitor();
      const rest = await play(steps.slice(6), stage, tell);
      ended = true;
      await visiting;
      expect([first.failed, rest.failed, misses]).toEqual([undefined, undefined, 0]);
      expect(asked).toBeGreaterThan(60);
      await nothingTwice(started);
    },
    platformDeadlineMs,
  );
});

async function frozenDuring(started: Platform, act: () => Promise<string>): Promise<string> {
  const { apiServer } = started.controlPlane.parts;
  apiServer.signal('SIGSTOP');
  const frozen = systemClock.sleep(30_000).then(() => apiServer.signal('SIGCONT'));
  const [told] = await Promise.all([frozen.then(act), frozen]);
  return told;
}

async function nothingTwice({ kubectl }: Platform): Promise<void> {
  const orders = await kubectl.run(['get', 'orders', '-A', '-o', 'jsonpath={.items[*].spec.dnsNames[0]}']);
  const names = orders.trim().split(/\s+/);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
}

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
      const started = await testPlatform(true);
      await takeAway(started);
      const played = await playOn(started, sabotage, impatienceMs);
      expect(played.ok).toBe(false);
      expect(played.failed?.name).toBe(step);
    },
    platformDeadlineMs,
  );
});
