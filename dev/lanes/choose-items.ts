import type { Item } from './lanes.ts';
import { entryOf, itemsOf, testFiles } from './lanes.ts';
import { root } from './report.ts';

/**
 * The files of tests that have one of the words in their path; all where there is none. A word that no path has ends the process with status 3 and a
 * sentence, before anything begins.
 */
function chooseFiles(folders: readonly string[], words: readonly string[]): readonly string[] {
  const files = testFiles(root).filter((file) => folders.some((folder) => file.startsWith(folder)));
  const unknown = words.find((word) => !files.some((file) => file.includes(word)));
  if (unknown !== undefined) {
    console.error(
      `no file of tests below ${folders.join(', ')} has '${unknown}' in its path; npm run lanes lists them`,
    );
    process.exit(3);
  }
  return files.filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
}

/** Each chosen file once, as its lane runs it. */
export const chosenOnce = (words: readonly string[]): readonly Item[] =>
  chooseFiles(['test/'], words).flatMap((file) => {
    const entry = entryOf(file);
    return entry === undefined ? [] : [{ file, setting: entry.setting }];
  });

/** Whatever lanes run below one of these folders, in each of its settings. */
export function chosenBelow(folders: readonly string[], words: readonly string[]): readonly Item[] {
  const files = chooseFiles(folders, words);
  return (['check', 'test', 'node', 'deep'] as const).flatMap((lane) => itemsOf(lane, files));
}
