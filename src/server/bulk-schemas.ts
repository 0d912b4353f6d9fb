import { z } from 'zod';
import { bulkMaximum } from '../rules/plan-limits.ts';
import type { bulkDomainBody } from './domain-body.ts';
import { domainReason, domainState } from './word-schemas.ts';
import { describing, dnsLabel, domainNew, hostname, problem, record, saying } from './schemas.ts';

/** Bodies and answers of the calls that take many domains. */

const project = dnsLabel.meta({ description: 'The name of a project of the account.' });

/** A domain of any project, as it is added. */
export const bulkNewDomain = domainNew
  .extend({ project })
  .meta({ id: 'BulkNewDomain', description: 'A hostname to add, and the project to add it to.' });

/** A domain of any project, by its name. */
export const bulkDomainName = z
  .strictObject({ project, hostname })
  .meta({ id: 'BulkDomainName', description: 'A hostname, and the project that has it.' });

/** What is checked of a body as a whole. Each item is for itself, so that one which cannot be read stops no other. */
export const bulkBody = z.strictObject({ items: z.array(z.unknown()).min(1) });

/** The same with its items, as the document shows it. */
export const bulkOf = (item: z.ZodType, id: string) =>
  z.strictObject({ items: saying(z.array(item).min(1).max(bulkMaximum), 'Each is for itself.') }).meta({
    id,
    description: 'Items over all projects of the account, carried out as if one were sent after the other.',
  });

export const bulkQuery = z.strictObject({
  dryRun: saying(z.enum(['true', 'false']).default('false'), '`true` says what would be answered and does nothing.'),
});

const bulkDomain = describing<ReturnType<typeof bulkDomainBody>>()(
  z
    .strictObject({
      state: domainState,
      reason: domainReason,
      records: z
        .array(record.omit({ status: true, found: true }))
        .meta({ description: 'What to create in DNS. The call for one domain says what was found of them.' }),
    })
    .meta({ id: 'BulkDomain', description: 'The domain, in short.' }),
);

const bulkItem = z
  .strictObject({
    project: z.string().nullable().meta({ description: 'As it was sent; null if the item could not be read.' }),
    hostname: z.string().nullable().meta({ description: 'As it was sent; null if the item could not be read.' }),
    status: z.int().meta({ description: 'What the call for this domain alone would have been answered with.' }),
    domain: bulkDomain.nullable().meta({ description: 'Null where there is a problem.' }),
    problem: problem.nullable().meta({ description: 'Null where there is none.' }),
  })
  .meta({ id: 'BulkItem', description: 'What became of one item.' });

export const bulkResult = z
  .strictObject({
    items: z.array(bulkItem).meta({ description: 'In the order of the request.' }),
    succeeded: z.int().meta({ description: 'Items without a problem.' }),
    failed: z.int().meta({ description: 'Items with one.' }),
  })
  .meta({ id: 'BulkResult', description: 'An answer for each item.' });

export type BulkItem = z.output<typeof bulkItem>;
