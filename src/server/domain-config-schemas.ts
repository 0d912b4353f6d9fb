import { z } from 'zod';
import type { DomainConfigView, ReplacedDomainConfig } from '../use-cases/domain-config.ts';
import { describing, hostname, redirectStatus, text } from './schemas.ts';

/** Bodies of the calls for a project's domains as one configuration. */

const configuredRedirect = z.strictObject({
  from: hostname,
  to: hostname.optional().meta({ description: 'Defaults to the primary.' }),
  status: redirectStatus.default(301),
});

export const domainConfigChange = z
  .strictObject({
    primary: hostname.nullable().default(null),
    redirects: z.array(configuredRedirect).max(500).default([]),
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
  primary: z.string().nullable(),
  redirects: z.array(z.strictObject({ from: z.string(), to: z.string().nullable(), status: redirectStatus })),
  others: z.array(z.string()).meta({
    description:
      'Hostnames of the project that a configuration has no place for, a hundred at most: wildcards, and what only asks to be the primary.',
  }),
});

export const domainConfig = describing<DomainConfigView>()(
  shownConfig.meta({ id: 'DomainConfig', description: "The project's domains, whoever declared them." }),
);

export const replacedDomainConfig = describing<ReplacedDomainConfig>()(
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
