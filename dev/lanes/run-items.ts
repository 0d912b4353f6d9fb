import type { Counts } from '../lib/jest-report.ts';
import { noCounts, sumOf } from '../lib/jest-report.ts';
import type { Item, Setting } from './lanes.ts';
import { settings, workersOf } from './settings.ts';

/** What came of items: of those that passed when they were tried again, `flaky` has what failed at first. */
export interface Outcome extends Counts {
  readonly flaky: readonly string[];
}

const seconds = (since: number) => `${Math.round((Date.now() - since) / 1_000)} s`;

/**
 * Runs items, those of a setting together and one setting after the other. A file of real parts that fails runs once more, alone; what passes
 * then is told as flaky and is no failure.
 */
export async function runItems(items: readonly Item[]): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const [setting, files] of bySetting(items)) {
    const begun = Date.now();
    const workers = workersOf(setting);
    const outcome = await runSetting(setting, files, workers);
    const side = workers === 1 ? 'one file at a time' : `${workers} files at a time`;
    const { passed, failed } = outcome;
    console.log(
      `${setting}, ${files.length} files: ${passed} passed, ${failed} failed after ${seconds(begun)}, ${side}`,
    );
    outcomes.push(outcome);
  }
  return { ...sumOf(outcomes), flaky: outcomes.flatMap(({ flaky }) => flaky) };
}

async function runSetting(setting: Setting, files: readonly string[], workers: number): Promise<Outcome> {
  const running = settings[setting];
  const first = await running.run(files, workers);
  if (!running.isTriedAgain || first.failedFiles.length === 0) return { ...first, flaky: [] };
  console.log(`${setting}: ${first.failedFiles.join(', ')} failed and runs once more, alone`);
  for (const failure of first.failures) console.log(`at first: ${failure}`);
  const second = await running.run(first.failedFiles, 1);
  const { failed, failures, failedFiles } = second;
  const isFlaky = (failure: string) => !failedFiles.some((file) => failure.startsWith(file));
  return {
    ...first,
    passed: first.passed + (first.failed - failed),
    failed,
    failures,
    failedFiles,
    flaky: first.failures.filter(isFlaky),
  };
}

function bySetting(items: readonly Item[]): ReadonlyMap<Setting, readonly string[]> {
  const grouped = Map.groupBy(items, ({ setting }) => setting);
  return new Map([...grouped].map(([setting, all]) => [setting, all.map(({ file }) => file)]));
}

export const nothing: Outcome = { ...noCounts, flaky: [] };
