import type { CorpusName } from '../corpus-name.ts';
import { brokenServers } from './broken-servers.ts';
import { usualNames } from './usual-names.ts';

/** Every name of the corpus. */
export const names: readonly CorpusName[] = [...usualNames, ...brokenServers];
