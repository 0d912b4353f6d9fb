import { z } from 'zod';
import { problemCodes } from '../rules/codes/problem-codes.ts';
import type { ProblemCode } from '../use-cases/problem.ts';
import type { domainBody, lookupBody, previewBody } from './domain-body.ts';
import { issueCode } from './word-schemas.ts';
import { describing, dnsHost, dnsLabel, domain, hostname, issue, record } from './schemas.ts';

/** Bodies of the calls that look a hostname up in DNS. */

export const lookupNew = z
  .strictObject({
    hostname,
    project: dnsLabel.nullable().optional().meta({
      description: 'Whose records are compared with; without it only what does not depend on a project is looked up.',
    }),
  })
  .meta({ id: 'NewLookup', description: 'A hostname to look up in DNS.' });

const verdict = z.strictObject({
  verdict: z.enum(['yes', 'no', 'unknown']),
  code: issueCode.meta({ description: 'Says why (docs/reference/verdict-codes.md).' }),
});

const acceptance = z.strictObject({
  accepted: z.boolean(),
  code: z
    .enum(Object.keys(problemCodes) as [ProblemCode, ...ProblemCode[]])
    .nullable()
    .meta({ description: 'The code of the problem that adding it would be answered with.' }),
  message: z.string(),
});

export const lookup = describing<ReturnType<typeof lookupBody>>()(
  z
    .strictObject({
      hostname: z.string(),
      unicodeHostname: z.string(),
      project: z.string().nullable(),
      zone: z.string().nullable().meta({ description: 'Apex of the zone that contains it; null while unknown.' }),
      nameServers: z.array(z.string()),
      dnsHost: dnsHost.nullable().meta({ description: 'Who serves the zone, by its name servers; null if unknown.' }),
      acceptance: acceptance.nullable().meta({
        description: 'Whether it could be added to the project as its primary; null without a project.',
      }),
      records: z.array(record),
      found: z.array(z.strictObject({ name: z.string(), type: z.string(), ttl: z.int(), value: z.string() })).meta({
        description: 'The records at the hostname, along its aliases, and at the challenge name.',
      }),
      routing: verdict.nullable(),
      ownership: verdict.nullable(),
      caa: verdict,
      issues: z.array(issue).meta({ description: 'What will have to change.' }),
    })
    .meta({ id: 'Lookup', description: 'What DNS says about a hostname, by the rules of the check after Add.' }),
);

export const domainPreview = describing<PreviewView>()(
  z.strictObject({ ...domain.shape, lookup: lookup.nullable().optional() }).meta({
    id: 'DomainPreview',
    description: 'A domain; after `dryRun=lookup` with what DNS says now, null if there was no time for that.',
  }),
);

/** A dry run that does not look at DNS answers the domain alone. */
type PreviewView = ReturnType<typeof domainBody> & {
  readonly lookup?: ReturnType<typeof previewBody>['lookup'] | undefined;
};
