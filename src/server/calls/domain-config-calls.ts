import type { DomainConfigView, ReplacedDomainConfig } from '../../use-cases/domain-config.ts';
import { replaceDomainConfig, showDomainConfig } from '../../use-cases/domain-config.ts';
import { rejectionCodesUnprepared } from '../../use-cases/error-to-problem.ts';
import { projectVersion } from '../../use-cases/versions.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { describing, hostname, redirectStatus, saying, text } from '../schemas.ts';
import { z } from 'zod';

/** Bodies of the calls for a project's domains as one configuration. */

const configuredRedirect = z.strictObject({
  from: saying(hostname, 'A hostname of the customer.'),
  to: hostname.optional().meta({ description: 'Defaults to the primary.' }),
  status: redirectStatus.default(301),
});

const domainConfigChange = z
  .strictObject({
    primary: hostname.nullable().default(null).meta({ description: 'Null: no primary.' }),
    redirects: z.array(configuredRedirect).max(500).default([]).meta({ description: 'All of them, by `from`.' }),
    others: z
      .array(text(253))
      .max(100)
      .optional()
      .meta({ description: 'As it was read: what it names stays as it is.' }),
  })
  .meta({
    id: 'DomainConfigChange',
    description: "The project's complete domain configuration; it replaces the previous one.",
  });

const shownConfig = z.strictObject({
  primary: z.string().nullable().meta({ description: 'The one that is served; null without one.' }),
  redirects: z
    .array(
      z.strictObject({
        from: saying(z.string(), 'The hostname that visitors ask for.'),
        to: saying(z.string().nullable(), 'The hostname that they are led to; null where there is no primary either.'),
        status: redirectStatus,
      }),
    )
    .meta({ description: 'The redirects, those that are declared in the configuration first.' }),
  others: z.array(z.string()).meta({
    description:
      'Hostnames of the project that a configuration has no place for, a hundred at most: wildcards, and what only asks to be the primary.',
  }),
});

const domainConfig = describing<DomainConfigView>()(
  shownConfig.meta({ id: 'DomainConfig', description: "The project's domains, whoever declared them." }),
);

const replacedDomainConfig = describing<ReplacedDomainConfig>()(
  z
    .strictObject({
      ...shownConfig.shape,
      adopted: z.array(z.string()).meta({
        description: 'What was added separately, is listed, and is an entry of the configuration from now on.',
      }),
      kept: z.array(z.string()).meta({
        description:
          'What was added separately and is not listed, a hundred at most: it stays as it is. Remove it by DELETE.',
      }),
    })
    .meta({
      id: 'ReplacedDomainConfig',
      description: "The project's domains as they are now, and what became of those that were added separately.",
    }),
);

const path = '/v1/projects/{project}/domain-config';

const showDomainConfigCall = apiCall({
  method: 'get',
  path,
  name: 'showDomainConfig',
  summary: "The project's domains as one configuration, whoever declared them",
  scope: showDomainConfig.scope,
  conditional: true,
  successes: { 200: { description: 'The configuration.', schema: domainConfig } },
  problems: ['not-found', 'account-not-ready'],
  handle: async (request) => ({
    status: 200,
    version: await projectVersion(request, request.params),
    body: await showDomainConfig(request, request.params),
  }),
});

const replaceDomainConfigCall = apiCall({
  method: 'put',
  idempotency: 'by-name',
  path,
  name: 'replaceDomainConfig',
  summary:
    "Replaces the project's domain configuration: entries that it no longer lists are removed, domains that were added separately become entries where it lists them, and stay where it does not",
  scope: replaceDomainConfig.scope,
  conditional: true,
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
