import type { CaaCase } from './caa-case.ts';
import { flagsAndTags, issueTags } from './cases/flags-and-tags.ts';
import { issueValues } from './cases/issue-values.ts';
import { malformedData } from './cases/malformed-data.ts';
import { recordSets, treeClimbs } from './cases/record-sets.ts';

/** Every case that was picked by hand. */
export const allCases: readonly CaaCase[] = [
  ...issueValues,
  ...recordSets,
  ...treeClimbs,
  ...malformedData,
  ...issueTags,
  ...flagsAndTags,
];
