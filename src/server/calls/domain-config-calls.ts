import { replaceDomainConfig, showDomainConfig } from '../../use-cases/domain-config.ts';
import { rejectionCodesUnprepared } from '../../use-cases/finding-to-problem.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { domainConfig, domainConfigChange, replacedDomainConfig } from '../domain-config-schemas.ts';

const path = '/v1/projects/{project}/domain-config';

const showDomainConfigCall = apiCall({
  method: 'get',
  path,
  name: 'showDomainConfig',
  summary: "The project's domains as one configuration, whoever declared them",
  scope: showDomainConfig.scope,
  successes: { 200: { description: 'The configuration.', schema: domainConfig } },
  problems: ['not-found', 'account-not-ready'],
  handle: async (request) => ({ status: 200, body: await showDomainConfig(request, request.params) }),
});

const replaceDomainConfigCall = apiCall({
  method: 'put',
  path,
  name: 'replaceDomainConfig',
  summary:
    "Replaces the project's domain configuration: entries that it no longer lists are removed, domains that were added separately become entries where it lists them, and stay where it does not",
  scope: replaceDomainConfig.scope,
  body: domainConfigChange,
  successes: { 200: { description: 'The configuration as it is now.', schema: replacedDomainConfig } },
  problems: [...rejectionCodesUnprepared, 'conflict', 'write-refused', 'cluster-unavailable'],
  handle: async (request) => ({
    status: 200,
    body: await replaceDomainConfig(request, { ...request.params, config: request.body }),
  }),
});

/** A project's domain configuration. */
export const domainConfigCalls: readonly ApiCall[] = [showDomainConfigCall, replaceDomainConfigCall];
