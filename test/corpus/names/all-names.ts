import type { CorpusName } from '../corpus-name.ts';
import { aliases } from './aliases.ts';
import { brokenServers } from './broken-servers.ts';
import { caaPlacement } from './caa-placement.ts';
import { caaValues } from './caa-values.ts';
import { usualNames } from './usual-names.ts';

/** Every name of the corpus. */
export const names: readonly CorpusName[] = [
  ...usualNames,
  ...aliases,
  ...caaPlacement,
  ...caaValues,
  ...brokenServers,
];
