import { z } from 'zod';
import { labelNameForm, labelsMaximum, labelValueForm, labelValueMaximum } from '../rules/domain-labels.ts';
import { canonicalHostname } from '../rules/hostname.ts';
import type { domainBody } from './domain-body.ts';
import {
  domainReason,
  domainState,
  issueAct,
  issueActor,
  issueCode,
  recordPurpose,
  recordStatus,
  severity,
} from './word-schemas.ts';

/** Request and response bodies, with their ids as OpenAPI components. Unknown fields in requests are refused. */

type Immutable<T> = T extends object ? { readonly [Field in keyof T]: Immutable<T[Field]> } : T;

/**
 * A schema for a use case's result type. It compiles only if both types match exactly: a field, null or enum value that
 * one of them lacks is a type error here.
 */
export const describing =
  <View>() =>
  <Schema extends z.ZodType<View>>(
    schema: Schema & (View extends Immutable<z.output<Schema>> ? unknown : never),
  ): Schema =>
    schema;

/** A text whose length is looked at before anything else of it. */
export const bounded = (max: number) => z.string().max(max, { abort: true });
export const text = (max: number) => bounded(max).min(1);
export const dnsLabel = bounded(63).regex(
  /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
  'write one DNS label: lower case letters, digits and inner hyphens',
);
export const hostname = text(253).transform(canonicalHostname).meta({
  description: 'A hostname in any case, with or without a final dot, in A-labels or in Unicode; answers have A-labels.',
});
export const time = z.iso.datetime({ offset: true });

/** A schema with what it is, for the document. */
export const saying = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description });

/** The same from a client: nine digits of a second, and an offset. */
export const sentTime = time.max(40);
export const redirectStatus = z
  .literal([301, 302, 307, 308])
  .meta({ description: 'Of the redirect: 301 and 308 are permanent, 307 and 308 keep the method.' });
const role = z.enum(['primary', 'redirect']).meta({
  id: 'DomainRole',
  description: '`primary`: shows the project. `redirect`: leads visitors elsewhere.',
});

const redirect = z.strictObject({
  to: saying(z.string(), 'The hostname that visitors are led to; path and query stay as they are.'),
  status: redirectStatus,
});

export const record = z
  .strictObject({
    purpose: recordPurpose,
    type: z.enum(['CNAME', 'ALIAS', 'TXT']).meta({
      description: '`ALIAS` means ALIAS, ANAME, a flattened CNAME or the platform’s addresses, at the apex of a zone.',
    }),
    name: z.string().meta({ description: 'Relative to the zone, as registrars’ forms expect it: www, shop.eu, @.' }),
    fqdn: saying(z.string(), 'The same with the zone.'),
    value: saying(z.string(), 'What it leads to, or its text.'),
    ttl: z.int().meta({ description: 'Seconds.' }),
    status: recordStatus,
    found: z.array(z.string()).meta({ description: 'What is at that name, such as `A 192.0.2.1`.' }),
  })
  .meta({ id: 'Record', description: 'A DNS record to create, and what was found of it.' });

const recordRef = z
  .strictObject({
    name: z.string().meta({ description: 'Relative to the zone, as registrars’ forms expect it: www, shop.eu, @.' }),
    fqdn: saying(z.string(), 'The same with the zone.'),
    type: z.string().meta({ description: 'ALIAS means ALIAS, ANAME, a flattened CNAME or the platform’s addresses.' }),
    value: z.string().meta({ description: '`*` in what to delete: all records of the type.' }),
  })
  .meta({ id: 'RecordRef', description: 'A DNS record to delete or to create.' });

const serverReport = z
  .strictObject({
    server: saying(z.string(), 'The name of the server.'),
    address: saying(z.string(), 'The address that was asked.'),
    answer: saying(z.string(), 'What it said, in short.'),
  })
  .meta({ id: 'ServerReport', description: 'What one name server said. The address is empty if unknown.' });

export const issueParams = z
  .record(z.string(), z.union([z.string(), z.array(z.string())]))
  .meta({ id: 'Params', description: 'What the sentences mention: render pages from these, not from the message.' });

export const issue = z
  .strictObject({
    code: issueCode,
    severity,
    act: issueAct.nullable().meta({ description: 'What has to be done; null if an older version wrote it.' }),
    actor: issueActor,
    params: issueParams,
    delete: z.array(recordRef).meta({ description: 'Records that have to go.' }),
    create: z.array(recordRef).meta({ description: 'Nothing else may stay at the name of a CNAME.' }),
    servers: z
      .array(serverReport)
      .meta({ description: 'What each name server said, where they differ or are silent.' }),
    since: time.nullable().meta({ description: 'When a check first found this; null if an older version wrote it.' }),
    hoursUntilSeen: z.int().nullable().meta({
      description: 'How long a change may take to be seen, at worst; null if not longer than the TTL of the records.',
    }),
    message: saying(z.string(), 'What was found, as a sentence in English.'),
    record: z.string().meta({ description: 'The offending records in zone file format, or empty.' }),
    fix: saying(z.string(), 'What to do, as a sentence in English.'),
  })
  .meta({ id: 'Issue', description: 'What was found instead of what is needed, and what to change.' });

export const dnsHost = z
  .strictObject({
    id: saying(z.string(), 'One word that stays, such as `cloudflare`.'),
    name: saying(z.string(), 'What it is called.'),
    labels: z
      .strictObject({
        name: saying(z.string().nullable(), 'Of the field for the name of a record; null if not known.'),
        value: saying(z.string().nullable(), 'Of the field for its value; null if not known.'),
      })
      .meta({ description: 'What its form for records calls its fields.' }),
  })
  .meta({ id: 'DnsHost', description: 'The company that serves the zone.' });

export const domain = describing<ReturnType<typeof domainBody>>()(
  z
    .strictObject({
      hostname: z.string().meta({ description: 'In lower case A-labels, without a trailing dot.' }),
      unicodeHostname: z
        .string()
        .meta({ description: 'The same as people write it; `hostname` where that is the same.' }),
      project: saying(z.string(), 'The project that it belongs to.'),
      role,
      redirect: redirect.nullable().meta({ description: 'Where it leads visitors; null for a primary.' }),
      prepare: z.boolean().meta({ description: 'The certificate is obtained before the hostname is switched here.' }),
      labels: z.record(z.string(), z.string()).meta({
        description: 'What the platform calls it, such as `{"customer": "cus_123"}`: lists are filtered by them.',
      }),
      state: domainState,
      reason: domainReason,
      message: saying(z.string(), 'The reason as a sentence in English, with what to do.'),
      checkedAt: time.nullable().meta({
        description:
          'When a check of DNS last found something new, or one was asked for by Verify. Null before the first. Checks that find what the one before found do not change it.',
      }),
      records: z.array(record).meta({ description: 'What has to be in DNS, and what was found of it.' }),
      issues: z.array(issue).meta({ description: 'Why it is not served as it should be.' }),
      dnsHost: dnsHost.nullable().meta({ description: 'Null while the name servers do not tell who serves the zone.' }),
      lingersUntil: time.nullable().meta({
        description: 'Until when caches may still lead some visitors to what was there before; null if they do not.',
      }),
      nextCheckAt: time.nullable().meta({
        description:
          'When DNS is checked next without a Verify. Null while a check is under way, and where none is planned: in state Pending, and once `checksEndAt` has passed.',
      }),
      checksEndAt: time.nullable().meta({
        description:
          'When automatic checks end, or ended: from then on only Verify starts them again. Null while the domain is served, as it is then checked for ever, and in state Pending.',
      }),
      certificate: z
        .strictObject({
          notAfter: saying(time, 'When it ends.'),
          source: z
            .enum(['automatic', 'own'])
            .meta({ description: '`own`: the customer sent it, and it is not renewed.' }),
        })
        .nullable()
        .meta({ description: 'The one that is served, or was ordered; null before the first.' }),
      waits: z
        .strictObject({ reason: domainReason, until: time.nullable().meta({ description: 'Null if unknown.' }) })
        .nullable()
        .meta({
          description: 'What the next certificate or renewal is waiting for, and until when, if known.',
        }),
      createdAt: time.nullable().meta({ description: 'Null in the response to a dry run.' }),
    })
    .meta({ id: 'Domain', description: 'One hostname of a project.' }),
);

const prepare = z.boolean().meta({
  description:
    'Obtains the certificate while the hostname still leads to its former server, so that the switch costs no request.',
});
const labelName = bounded(63).regex(
  labelNameForm,
  'write 1 to 63 letters, digits and characters of ._/- and begin with a letter or digit',
);
const labelValue = bounded(labelValueMaximum).regex(labelValueForm, 'use visible characters only');
const labelsOf = <Value extends z.ZodType>(value: Value, most: number) =>
  z
    .record(labelName, value)
    .refine((labels) => Object.keys(labels).length <= most, `name ${most} labels at most`)
    .meta({ maxProperties: most });

const redirectChange = z.strictObject({
  to: hostname.optional().meta({ description: 'Defaults to the primary of the project.' }),
  status: redirectStatus.default(301),
});

export const domainNew = z
  .strictObject({
    hostname,
    role: role.default('primary').meta({ description: '`primary` unless it says otherwise.' }),
    redirect: redirectChange.nullable().optional().meta({ description: 'For the role `redirect` alone.' }),
    prepare: prepare.optional(),
    labels: labelsOf(labelValue, labelsMaximum)
      .optional()
      .meta({ description: 'Names and values of the platform’s own.' }),
  })
  .meta({
    id: 'NewDomain',
    description:
      'A hostname to add. With the role `redirect` it leads to the primary, unless `redirect` says otherwise.',
  });

export const domainChange = z
  .strictObject({
    role: role.optional(),
    redirect: redirectChange.nullable().optional().meta({ description: 'Null: to the primary.' }),
    prepare: prepare.optional(),
    // As many as take the place of as many others.
    labels: labelsOf(labelValue.nullable(), 2 * labelsMaximum)
      .optional()
      .meta({
        description: 'Labels to set; null takes one away. Those that are not named stay.',
      }),
  })
  .meta({ id: 'DomainChange', description: 'Absent fields stay unchanged.' });

export const problem = z
  .looseObject({
    type: saying(z.string(), 'A URL that names the kind of problem.'),
    title: saying(z.string(), 'The same in a few words of English.'),
    status: saying(z.int(), 'The status of the response.'),
    code: saying(z.string(), 'The kind of problem as one word, which stays.'),
    detail: saying(z.string(), 'What is wrong here, and what to do.'),
    requestId: saying(z.string(), 'Of this request: quote it to support.'),
  })
  .meta({ id: 'Problem', description: 'RFC 9457. `code` is stable; `detail` says what to do.' });

export const eventStream = z
  .string()
  .meta({ id: 'EventStream', description: 'A stream of `text/event-stream` (HTML standard).' });

/** A page of a list. */
export const page = <T extends z.ZodType>(items: T, id: string) =>
  z
    .strictObject({
      items: z.array(items).meta({ description: 'The items of this page, in the order of the list.' }),
      nextCursor: saying(z.string().nullable(), 'Requests the next page, as `cursor`; null on the last one.'),
    })
    .meta({ id, description: 'A page; `nextCursor` requests the next one and is null on the last.' });

export const domainPage = page(domain, 'DomainPage');

export const pageQuery = z.strictObject({
  limit: saying(z.coerce.number().pipe(z.int().min(1).max(100)).default(50), 'How many items a page may have.'),
  cursor: saying(text(1_024).optional(), 'The `nextCursor` of the page before.'),
});

/** `lookup`: a dry run that looks at DNS as well. */
export const dryRunQuery = z.strictObject({
  dryRun: saying(
    z.enum(['true', 'false', 'lookup']).default('false'),
    '`true` shows what would be answered and makes nothing; `lookup` looks at DNS as well.',
  ),
});

/** `swap`: a primary that the project has changes places with the domain. */
export const swapQuery = z.strictObject({
  swap: saying(
    z.enum(['true', 'false']).default('false'),
    '`true` with the role primary: the primary that the project has changes places with the domain.',
  ),
});

/** `30s` or `30`: whole seconds from 1 to 60. */
export const waitQuery = z.strictObject({
  wait: bounded(3)
    .regex(/^([1-9]|[1-5]\d|60)s?$/, 'write whole seconds from 1 to 60, such as 30s')
    .optional()
    .meta({ description: 'How long to wait for the check, in whole seconds from 1 to 60, such as `30s`.' }),
});
