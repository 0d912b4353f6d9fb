import type { ApiCall } from './api-call.ts';
import { showAccountCall, showUsageCall } from './calls/account-calls.ts';
import {
  addDomainCall,
  changeDomainCall,
  listDomainsCall,
  removeDomainCall,
  showDomainCall,
  verifyDomainCall,
} from './calls/domain-calls.ts';
import { replaceDomainConfigCall, showDomainConfigCall } from './calls/domain-config-calls.ts';
import { watchDomainCall } from './calls/domain-events-call.ts';
import { createKeyCall, deleteKeyCall, listKeysCall } from './calls/key-calls.ts';
import {
  changeProjectCall,
  createProjectCall,
  deleteProjectCall,
  listProjectsCall,
  showProjectCall,
} from './calls/project-calls.ts';

/** Every call of the API. */
export const apiCalls: readonly ApiCall[] = [
  showAccountCall,
  showUsageCall,
  listProjectsCall,
  createProjectCall,
  showProjectCall,
  changeProjectCall,
  deleteProjectCall,
  showDomainConfigCall,
  replaceDomainConfigCall,
  listDomainsCall,
  addDomainCall,
  showDomainCall,
  changeDomainCall,
  removeDomainCall,
  verifyDomainCall,
  watchDomainCall,
  listKeysCall,
  createKeyCall,
  deleteKeyCall,
];
