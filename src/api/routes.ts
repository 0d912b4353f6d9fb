import { showAccount, showUsage } from './handlers/account.ts';
import { replaceDomainConfig, showDomainConfig } from './handlers/domain-config.ts';
import { removeDomain } from './handlers/domain-removal.ts';
import { addDomain, changeDomain, listDomains, showDomain } from './handlers/domains.ts';
import { watchDomain } from './handlers/events.ts';
import { createKey, deleteKey, listKeys } from './handlers/keys.ts';
import { changeProject, createProject, deleteProject, listProjects, showProject } from './handlers/projects.ts';
import { verifyDomain } from './handlers/verify.ts';
import type { ApiCall } from './route.ts';

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
