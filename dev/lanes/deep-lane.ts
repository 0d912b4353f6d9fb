import { readFileTimes } from '../lib/file-times.ts';
import type { DeepRun } from './deep-runs.ts';
import { checkedOut, writeDeepRuns } from './deep-runs.ts';
import type { Item } from './lanes.ts';
import { itemsOf, nameOf, testFiles } from './lanes.ts';
import { root } from './report.ts';
import type { Outcome } from './run-items.ts';
import { nothing, runItems } from './run-items.ts';
import { sumOf } from '../lib/jest-report.ts';

export const deepItems = (): readonly Item[] => itemsOf('deep', testFiles(root));

interface DeepOutcome extends Outcome {
  readonly failedItems: readonly Item[];
}

/** Runs items of the deep lane, and notes in test/deep-runs.json which of them passed. */
export async function runDeepItems(items: readonly Item[]): Promise<DeepOutcome> {
  const outcomes: Outcome[] = [];
  const failedItems: Item[] = [];
  const commit = checkedOut(root);
  // What was seen of one setting is kept when a later one is broken off.
  for (const [, ofSetting] of Map.groupBy(items, ({ setting }) => setting)) {
    const begun = Date.now();
    const outcome = await runItems(ofSetting);
    outcomes.push(outcome);
    failedItems.push(...ofSetting.filter(({ file }) => outcome.failedFiles.includes(file)));
    if (commit === null) continue;
    const times = readFileTimes();
    const passed = ofSetting.flatMap((item): readonly (readonly [string, DeepRun])[] => {
      const time = times[item.file];
      // Of a run that left no report there is an older time at most.
      if (time === undefined || !time.passed || Date.parse(time.at) < begun) return [];
      return [[nameOf(item), { ...commit, seconds: Math.ceil(time.seconds) }]];
    });
    writeDeepRuns(root, Object.fromEntries(passed), deepItems());
  }
  return { ...sumOf([nothing, ...outcomes]), flaky: outcomes.flatMap(({ flaky }) => flaky), failedItems };
}
