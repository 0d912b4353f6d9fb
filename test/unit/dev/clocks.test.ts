import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';
import { testFiles } from '../../../dev/lanes/lanes.ts';
import { clockExceptions } from '../../../dev/lint/clock-exceptions.mjs';

/** Lint keeps clocks and sleeps out of tests, as the whole configuration has it. Fails where one gets in under another name, or for an exception that nobody needs. */

const root = join(import.meta.dirname, '../../..');
const all = testFiles(root);
const settings: string = '../../../eslint.config.js';
let config: Linter.Config[];
beforeAll(async () => {
  ({ default: config } = (await import(settings)) as { readonly default: Linter.Config[] });
});
const linter = new Linter();
const ordinary = 'test/unit/dev/clocks.test.ts';
const rulesBroken = (code: string, file: string, given = config) =>
  linter.verify(code, given, { filename: file }).map(({ ruleId }) => ruleId);
const reads = (code: string, file = ordinary, given = config): boolean =>
  rulesBroken(code, file, given).includes('own/clocks');

const clockOfSystem = "import { systemClock } from '../../../src/lib/clock.ts';";

describe('a test', () => {
  it.each([
    'Date.now();',
    "Date['now']();",
    'globalThis.Date.now();',
    'begin({ now: Date.now });',
    'const { now } = Date; now();',
    'const { now: read = () => 0 } = Date; read();',
    'const Moments = Date; Moments.now();',
    'new Date();',
    'new globalThis.Date();',
    'Date();',
    'performance.now();',
    'const clock = performance as { now(): number }; clock.now();',
    "import { performance as clock } from 'node:perf_hooks'; clock.now();",
    "import * as hooks from 'perf_hooks'; hooks.performance.now();",
    "import { monitorEventLoopDelay } from 'node:perf_hooks';",
    'process.cpuUsage();',
    'process.threadCpuUsage();',
    'process.hrtime.bigint();',
    "import { hrtime as time } from 'node:process'; time();",
    "import own from 'node:process'; own.cpuUsage();",
    'Temporal.Now.instant();',
    `${clockOfSystem} systemClock.now();`,
    `${clockOfSystem} const { elapsed } = systemClock; elapsed();`,
    "import { systemClock as clock } from '../src/lib/clock.ts'; clock.elapsed();",
  ])('that reads a clock is refused: %s', (code) => {
    expect(reads(code)).toBe(true);
  });

  it.each([
    'await new Promise((done) => setTimeout(done, 5));',
    'setTimeout(() => act(), 5);',
    'globalThis.setInterval(act, 5);',
    'const wait = setTimeout; wait(act, 5);',
    'await promisify(setTimeout)(5);',
    "import { setTimeout as pause } from 'node:timers/promises'; await pause(5);",
    "import { setInterval } from 'timers/promises';",
    "import { setTimeout as later } from 'node:timers'; later(act, 5);",
    "import * as timers from 'node:timers/promises'; await timers.setTimeout(5);",
    "import timers from 'node:timers'; timers.setTimeout(act, 5);",
    "import { promises } from 'node:timers'; await promises.setTimeout(5);",
    "import { scheduler } from 'node:timers/promises'; await scheduler.wait(5);",
    "const { setTimeout: pause } = await import('node:timers/promises'); await pause(5);",
    "import { sleep } from '../support/sleep.ts'; await sleep(5);",
    `${clockOfSystem} await systemClock.sleep(5);`,
    `${clockOfSystem} const clock = systemClock; await clock.sleep(5);`,
    'Atomics.wait(cells, 0, 0, 5);',
    'await page.waitForTimeout(5);',
  ])('that waits for time to pass is refused: %s', (code) => {
    expect(reads(code)).toBe(true);
  });

  it('may not stretch what only deadlines are', () => {
    expect(reads("import { busyFactor } from '../../../dev/lib/eventually.ts'; wait(5 * busyFactor);")).toBe(true);
  });

  it.each([
    `${clockOfSystem} begin({ clock: systemClock, now: systemClock.now, elapsed: systemClock.elapsed });`,
    "import { createFakeClock } from '../support/fake-clock.ts'; const clock = createFakeClock(); clock.sleep(clock.now());",
    "import { fromNow } from '../support/from-now.ts'; fromNow(-1_000);",
    "import { setImmediate as turn } from 'node:timers/promises'; await turn();",
    "import type { performance } from 'node:perf_hooks';",
    'type Timer = ReturnType<typeof setTimeout>;',
    "jest.spyOn(performance, 'now');",
    'jest.setTimeout(5); socket.setTimeout(5); server.setTimeout(5);',
    'new Date(0); Date.parse(text); Date.UTC(2026, 0);',
    'function of(Date: { now(): number }, setTimeout: () => void) { setTimeout(); return Date.now(); }',
  ])('may do this: %s', (code) => {
    expect(reads(code)).toBe(false);
  });

  it('is held to all other rules besides', () => {
    const broken = rulesBroken("import fc from 'fast-check'; log.warn({ error }, 'lost'); Date.now();", ordinary);
    expect(new Set(broken)).toEqual(
      new Set(['own/clocks', 'no-restricted-imports', 'no-restricted-syntax', '@typescript-eslint/no-unused-vars']),
    );
  });

  it('turns no rule of these off in its own text', () => {
    const silenced = all.filter((file) => /eslint-disable.*clocks|eslint-disable(-\S+)?\s*\*?\/?$/m.test(textOf(file)));
    expect(silenced.filter((file) => file !== ordinary)).toEqual([]);
  });
});

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

describe('exceptions', () => {
  const withoutExceptions = (): Linter.Config[] =>
    config.map(({ ignores, ...block }) =>
      block.rules?.['own/clocks'] === undefined ? { ...(ignores ? { ignores } : {}), ...block } : block,
    );

  it('get fewer, and are told why', () => {
    expect(clockExceptions.length).toBeLessThanOrEqual(2);
    expect(clockExceptions.filter(([, why]) => why.length < 40)).toEqual([]);
  });

  it('are files of tests, each once', () => {
    const files = clockExceptions.map(([file]) => file);
    expect(files.filter((file) => !all.includes(file))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
  });

  it.each(clockExceptions)('%s needs to be one: %s', (file) => {
    expect(reads(textOf(file), file)).toBe(false);
    expect(reads(textOf(file), file, withoutExceptions())).toBe(true);
  });
});
