import type { CorpusName } from '../corpus-name.ts';
import { addresses } from './addresses.ts';
import { aliases } from './aliases.ts';
import { aliasesElsewhere } from './aliases-elsewhere.ts';
import { brokenAnswers } from './broken-answers.ts';
import { brokenServers } from './broken-servers.ts';
import { caaAnswers } from './caa-answers.ts';
import { caaPlacement } from './caa-placement.ts';
import { caaValues } from './caa-values.ts';
import { delegation } from './delegation.ts';
import { nameForms } from './name-forms.ts';
import { nameServers } from './name-servers.ts';
import { nearMisses } from './near-misses.ts';
import { ownershipRecords } from './ownership-records.ts';
import { preparedNames } from './prepared-names.ts';
import { staleServers } from './stale-servers.ts';
import { subdomains } from './subdomains.ts';
import { usualNames } from './usual-names.ts';

/** Every name of the corpus. */
export const names: readonly CorpusName[] = [
  ...usualNames,
  ...aliases,
  ...aliasesElsewhere,
  ...delegation,
  ...nameServers,
  ...subdomains,
  ...ownershipRecords,
  ...addresses,
  ...caaPlacement,
  ...caaAnswers,
  ...caaValues,
  ...nameForms,
  ...brokenServers,
  ...brokenAnswers,
  ...staleServers,
  ...preparedNames,
  ...nearMisses,
];
