import { entryMessages } from './entry-messages.ts';
import { frameMessages } from './frame-messages.ts';
import { handoverMessages } from './handover-messages.ts';
import { addMessages, lookMessages } from './add-messages.ts';
import { changeMessages } from './change-messages.ts';
import { dnsHostMessages } from './dns-host-messages.ts';
import { domainMessages } from './domain-messages.ts';
import { domainsMessages, setupMessages } from './domains-messages.ts';
import { keysMessages } from './keys-messages.ts';
import { planMessages } from './plan-messages.ts';
import { problemMessages } from './problem-messages.ts';
import { recordMessages } from './record-messages.ts';
import { stepMessages } from './step-messages.ts';

/** Every text of the pages in English. A key begins with its page. */
export const englishMessages = {
  ...entryMessages,
  ...frameMessages,
  ...handoverMessages,
  ...addMessages,
  ...changeMessages,
  ...dnsHostMessages,
  ...domainMessages,
  ...domainsMessages,
  ...keysMessages,
  ...lookMessages,
  ...planMessages,
  ...problemMessages,
  ...recordMessages,
  ...setupMessages,
  ...stepMessages,
} as const;
