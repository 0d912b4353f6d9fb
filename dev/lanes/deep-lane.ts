import type { DeepRun } from './deep-runs.ts';
import { checkedOut, writeDeepRuns } from './deep-runs.ts';
import type { Item } from './lanes.ts';
import { itemsOf, nameOf, testFiles } from './lanes.ts';
import { root } from './report.ts';
import type { RunOptions } from './run-items.ts';

export const deepItems = (): readonly Item[] => itemsOf('deep', testFiles(root));

/** Those that are named, as `nameOf` does; a name that none has ends the process with status 3 and a sentence. */
export function deepItemsNamed(names: readonly string[]): readonly Item[] {
  const items = deepItems();
  const unknown = names.find((name) => !items.some((item) => nameOf(item) === name));
  if (unknown !== undefined) {
    console.error(`the deep lane has no '${unknown}'; npm run lanes lists what it has`);
    process.exit(3);
  }
  return items.filter((item) => names.includes(nameOf(item)));
}

/**
 * Notes in test/deep-runs.json which items of the deep lane passed, each as it ends: what was seen is kept when a later one is broken off.
 */
export function noteDeepRuns(): Required<Pick<RunOptions, 'ended'>>['ended'] {
  const commit = checkedOut(root);
  const deep = deepItems();
  const names = new Set(deep.map(nameOf));
  return (item, { passed, seconds }) => {
    if (commit === null || !passed || !names.has(nameOf(item))) return;
    const run: DeepRun = { ...commit, seconds: Math.ceil(seconds) };
    writeDeepRuns(root, { [nameOf(item)]: run }, deep);
  };
}
