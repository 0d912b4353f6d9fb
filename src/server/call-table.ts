import type { ApiCall } from './api-call.ts';
import { accountCalls } from './calls/account-calls.ts';
import { listAccountDomainsCall } from './calls/account-domains-call.ts';
import { bulkCalls } from './calls/bulk-calls.ts';
import { certificateCalls } from './calls/certificate-calls.ts';
import { domainCalls, lookupCall } from './calls/domain-calls.ts';
import { domainConfigCalls } from './calls/domain-config-calls.ts';
import { watchDomainCall } from './calls/domain-events-call.ts';
import { handoverLinkCalls } from './calls/handover-link-calls.ts';
import { keyCalls } from './calls/key-calls.ts';
import { projectCalls } from './calls/project-calls.ts';

/** Every call of the API, in the order in which the OpenAPI document shows them. */
export const apiCalls: readonly ApiCall[] = [
  ...accountCalls,
  ...projectCalls,
  listAccountDomainsCall,
  ...domainConfigCalls,
  ...domainCalls,
  watchDomainCall,
  ...bulkCalls,
  ...certificateCalls,
  ...handoverLinkCalls,
  lookupCall,
  ...keyCalls,
];
