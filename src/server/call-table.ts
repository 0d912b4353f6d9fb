import { showAccount, showUsage } from './calls/account-calls.ts';
import { replaceDomainConfig, showDomainConfig } from './calls/domain-config-calls.ts';
import { removeDomain } from './calls/remove-domain-call.ts';
import { addDomain, changeDomain, listDomains, showDomain } from './calls/domain-calls.ts';
import { watchDomain } from './calls/domain-events-call.ts';
import { createKey, deleteKey, listKeys } from './calls/key-calls.ts';
import { changeProject, createProject, deleteProject, listProjects, showProject } from './calls/project-calls.ts';
import { verifyDomain } from './calls/verify-domain-call.ts';
import type { ApiCall } from './api-call.ts';

/** Every call of the API. */
export const apiCalls: readonly ApiCall[] = [
  showAccount,
  showUsage,
  listProjects,
  createProject,
  showProject,
  changeProject,
  deleteProject,
  showDomainConfig,
  replaceDomainConfig,
  listDomains,
  addDomain,
  showDomain,
  changeDomain,
  removeDomain,
  verifyDomain,
  watchDomain,
  listKeys,
  createKey,
  deleteKey,
];
