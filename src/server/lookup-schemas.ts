import { z } from 'zod';
import { problemCodes } from '../rules/codes/problem-codes.ts';
import type { ProblemCode } from '../use-cases/problem.ts';
import type { domainBody, lookupBody, previewBody } from './domain-body.ts';
import { issueCode } from './word-schemas.ts';
import { describing, dnsHost, dnsLabel, domain, hostname, issue, record, saying } from './schemas.ts';

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
  verdict: z.enum(['yes', 'no', 'unknown']).meta({ description: '`unknown`: DNS did not say enough.' }),
  code: issueCode.meta({ description: 'Says why (docs/reference/verdict-codes.md).' }),
});

const foundRecord = z
  .strictObject({
    name: saying(z.string(), 'Its full name.'),
    type: saying(z.string(), 'Such as `CNAME`.'),
    ttl: saying(z.int(), 'Seconds.'),
    value: saying(z.string(), 'As a master file has it.'),
  })
  .meta({ id: 'FoundRecord', description: 'A record that is in DNS.' });

const acceptance = z.strictObject({
  accepted: saying(z.boolean(), 'Whether it could be added.'),
  code: z
    .enum(Object.keys(problemCodes) as [ProblemCode, ...ProblemCode[]])
    .nullable()
    .meta({ description: 'The code of the problem that adding it would be answered with.' }),
  message: saying(z.string(), 'The same as a sentence in English.'),
});

export const lookup = describing<ReturnType<typeof lookupBody>>()(
  z
    .strictObject({
      hostname: saying(z.string(), 'In lower case A-labels, without a trailing dot.'),
      unicodeHostname: saying(z.string(), 'The same as people write it.'),
      project: saying(z.string().nullable(), 'Whose records it was compared with; null without one.'),
      zone: z.string().nullable().meta({ description: 'Apex of the zone that contains it; null while unknown.' }),
      nameServers: saying(z.array(z.string()), 'Names of the servers of the zone.'),
      dnsHost: dnsHost.nullable().meta({ description: 'Who serves the zone, by its name servers; null if unknown.' }),
      acceptance: acceptance.nullable().meta({
        description: 'Whether it could be added to the project as its primary; null without a project.',
      }),
      records: saying(z.array(record), 'What has to be in DNS, and what was found of it; empty without a project.'),
      found: z.array(foundRecord).meta({
        description: 'The records at the hostname, along its aliases, and at the challenge name.',
      }),
      routing: saying(verdict.nullable(), 'Whether it leads to the project; null without one.'),
      ownership: saying(verdict.nullable(), 'Whether it shows whose it is; null without a project.'),
      caa: saying(verdict, 'Whether its CAA records permit the certificate authority.'),
      issues: z.array(issue).meta({ description: 'What will have to change.' }),
    })
    .meta({ id: 'Lookup', description: 'What DNS says about a hostname, by the rules of the check after Add.' }),
);

export const domainPreview = describing<PreviewView>()(
  z
    .strictObject({
      ...domain.shape,
      lookup: saying(
        lookup.nullable().optional(),
        'Absent unless DNS was looked at; null where there was no time for that.',
      ),
    })
    .meta({
      id: 'DomainPreview',
      description: 'A domain; after `dryRun=lookup` with what DNS says now, null if there was no time for that.',
    }),
);

/** A dry run that does not look at DNS answers the domain alone. */
type PreviewView = ReturnType<typeof domainBody> & {
  readonly lookup?: ReturnType<typeof previewBody>['lookup'] | undefined;
};
