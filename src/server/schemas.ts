import { z } from 'zod';
import { canonicalHostname } from '../rules/hostname.ts';
import { limitFields } from '../rules/plan-limits.ts';
import { projectStateNames, projectStates } from '../rules/project-state.ts';
import type { AccountView, UsageView } from '../use-cases/account-and-usage.ts';
import type { domainBody, projectBody } from './domain-body.ts';
import {
  domainReason,
  domainState,
  issueAct,
  issueActor,
  issueCode,
  projectReason,
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
/** The same from a client: nine digits of a second, and an offset. */
export const sentTime = time.max(40);
export const redirectStatus = z.literal([301, 302, 307, 308]);
const role = z.enum(['primary', 'redirect']);

const service = z.strictObject({ name: dnsLabel, port: z.int().min(1).max(65_535) });

type LimitSchemas<Fields> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends 'switch' ? z.ZodBoolean : z.ZodInt;
};

const limitSchemas = <Fields extends Readonly<Record<string, 'count' | 'switch'>>>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, kind]) => [name, kind === 'switch' ? z.boolean() : z.int()]),
  ) as LimitSchemas<Fields>;

const limits = z
  .strictObject({
    rateLimit: z.strictObject(limitSchemas(limitFields.rateLimit)),
    customDomains: z.strictObject(limitSchemas(limitFields.customDomains)),
    maximum: z.strictObject({
      ...limitSchemas(limitFields.maximum),
      domains: z.int().meta({ description: 'Over all projects of the account.' }),
      sessionsPerKey: z.int(),
      eventStreams: z.int(),
    }),
  })
  .meta({ id: 'Limits', description: "What the plan allows, with this account's overrides applied." });

export const account = describing<AccountView>()(
  z
    .strictObject({ name: z.string(), plan: z.string(), limits })
    .meta({ id: 'Account', description: "The account that the caller's key belongs to." }),
);

const usageWindow = z.strictObject({
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
  resetAt: time.meta({ description: 'When more become available.' }),
});

const banStep = z.int().meta({
  description: 'How many bans of the account counted, this one included: 1 to 5, each longer than the one before.',
});

export const usage = describing<UsageView>()(
  z
    .strictObject({
      minute: usageWindow,
      day: usageWindow,
      nextRequestAt: time.nullable().meta({
        description: "When a request of the caller's key passes again; null if the next one does.",
      }),
      ban: z.strictObject({ until: time, step: banStep, reason: z.string() }).nullable(),
      bans: z
        .array(z.strictObject({ key: z.string(), from: time, until: time, step: banStep }))
        .meta({ description: "The last bans of the account's keys, the newest first, ten at most." }),
    })
    .meta({
      id: 'Usage',
      description:
        "Usage in both quota windows, the ban of the caller's key, and the account's last bans. Reading it spends no quota.",
    }),
);

export const project = describing<ReturnType<typeof projectBody>>()(
  z
    .strictObject({
      name: z.string(),
      service: z.strictObject({ name: z.string(), port: z.int() }),
      subdomain: z.string().nullable().meta({
        description: 'The subdomain that it asks for by name. Null where it is given one: `platformHostname` tells it.',
      }),
      platformHostname: z
        .string()
        .nullable()
        .meta({ description: 'Where the platform serves it. Null while the project does not hold that.' }),
      state: z.enum(projectStateNames).meta({
        description: Object.entries(projectStates)
          .map(([name, meaning]) => `${name}: ${meaning}`)
          .join(' '),
      }),
      reason: projectReason,
      message: z.string().meta({ description: 'The same for people.' }),
      target: z.string().nullable().meta({ description: "What the CNAME records of the project's domains point to." }),
      deployedAt: time.nullable(),
    })
    .meta({ id: 'Project', description: 'A project of the account.' }),
);

const subdomain = dnsLabel.nullable().optional().meta({
  description:
    'One that is asked for by name, and refused where it is not to be had. Null or absent: its name, or one that is made of it where that is reserved or another project has it.',
});

export const projectNew = z
  .strictObject({ name: dnsLabel, service, subdomain })
  .meta({ id: 'NewProject', description: 'A project to create.' });

export const projectChange = z
  .strictObject({ service: service.optional(), subdomain })
  .meta({ id: 'ProjectChange', description: 'Absent fields stay unchanged.' });

const redirect = z.strictObject({ to: z.string(), status: redirectStatus });

export const record = z
  .strictObject({
    purpose: recordPurpose,
    type: z.enum(['CNAME', 'ALIAS', 'TXT']),
    name: z.string().meta({ description: 'Relative to the zone, as registrars’ forms expect it: www, shop.eu, @.' }),
    fqdn: z.string(),
    value: z.string(),
    ttl: z.int().meta({ description: 'Seconds.' }),
    status: recordStatus,
    found: z.array(z.string()).meta({ description: 'What is at that name, such as `A 192.0.2.1`.' }),
  })
  .meta({ id: 'Record', description: 'A DNS record to create, and what was found of it.' });

const recordRef = z
  .strictObject({
    name: z.string().meta({ description: 'Relative to the zone, as registrars’ forms expect it: www, shop.eu, @.' }),
    fqdn: z.string(),
    type: z.string().meta({ description: 'ALIAS means ALIAS, ANAME, a flattened CNAME or the platform’s addresses.' }),
    value: z.string().meta({ description: '`*` in what to delete: all records of the type.' }),
  })
  .meta({ id: 'RecordRef', description: 'A DNS record to delete or to create.' });

const serverReport = z
  .strictObject({ server: z.string(), address: z.string(), answer: z.string() })
  .meta({ id: 'ServerReport', description: 'What one name server said. The address is empty if unknown.' });

export const issueParams = z
  .record(z.string(), z.union([z.string(), z.array(z.string())]))
  .meta({ id: 'Params', description: 'What the sentences mention: render pages from these, not from the message.' });

export const issue = z
  .strictObject({
    code: issueCode,
    severity,
    act: issueAct.nullable(),
    actor: issueActor,
    params: issueParams,
    delete: z.array(recordRef),
    create: z.array(recordRef).meta({ description: 'Nothing else may stay at the name of a CNAME.' }),
    servers: z.array(serverReport),
    since: time.nullable().meta({ description: 'When a check first found this; null if an older version wrote it.' }),
    hoursUntilSeen: z.int().nullable().meta({
      description: 'How long a change may take to be seen, at worst; null if not longer than the TTL of the records.',
    }),
    message: z.string(),
    record: z.string().meta({ description: 'The offending records in zone file format, or empty.' }),
    fix: z.string(),
  })
  .meta({ id: 'Issue', description: 'What was found instead of what is needed, and what to change.' });

export const dnsHost = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    labels: z.strictObject({ name: z.string().nullable(), value: z.string().nullable() }).meta({
      description: 'What its form for records calls the fields for the name and the value; null if not known.',
    }),
  })
  .meta({ id: 'DnsHost', description: 'The company that serves the zone.' });

export const domain = describing<ReturnType<typeof domainBody>>()(
  z
    .strictObject({
      hostname: z.string().meta({ description: 'In lower case A-labels, without a trailing dot.' }),
      unicodeHostname: z
        .string()
        .meta({ description: 'The same as people write it; `hostname` where that is the same.' }),
      project: z.string(),
      role,
      redirect: redirect.nullable(),
      prepare: z.boolean().meta({ description: 'The certificate is obtained before the hostname is switched here.' }),
      state: domainState,
      reason: domainReason,
      message: z.string(),
      checkedAt: time.nullable().meta({
        description:
          'When a check of DNS last found something new, or one was asked for by Verify. Null before the first. Checks that find what the one before found do not change it.',
      }),
      records: z.array(record),
      issues: z.array(issue),
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
          notAfter: time,
          source: z
            .enum(['automatic', 'own'])
            .meta({ description: 'Own: the customer sent it, and it is not renewed.' }),
        })
        .nullable(),
      waits: z.strictObject({ reason: domainReason, until: time.nullable() }).nullable().meta({
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
const redirectChange = z.strictObject({
  to: hostname.optional().meta({ description: 'Defaults to the primary of the project.' }),
  status: redirectStatus.default(301),
});

export const domainNew = z
  .strictObject({
    hostname,
    role: role.default('primary'),
    redirect: redirectChange.nullable().optional(),
    prepare: prepare.optional(),
  })
  .meta({
    id: 'NewDomain',
    description:
      'A hostname to add. With the role `redirect` it leads to the primary, unless `redirect` says otherwise.',
  });

export const domainChange = z
  .strictObject({ role: role.optional(), redirect: redirectChange.nullable().optional(), prepare: prepare.optional() })
  .meta({ id: 'DomainChange', description: 'Absent fields stay unchanged.' });

export const problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    requestId: z.string(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457. `code` is stable; `detail` says what to do.' });

export const eventStream = z.string().meta({ id: 'EventStream', description: 'text/event-stream (HTML standard).' });

/** A page of a list. */
export const page = <T extends z.ZodType>(items: T, id: string) =>
  z
    .strictObject({ items: z.array(items), nextCursor: z.string().nullable() })
    .meta({ id, description: 'A page; `nextCursor` requests the next one and is null on the last.' });

export const projectPage = page(project, 'ProjectPage');
export const domainPage = page(domain, 'DomainPage');

export const pageQuery = z.strictObject({
  limit: z.coerce.number().pipe(z.int().min(1).max(100)).default(50),
  cursor: text(1_024).optional(),
});

/** `lookup`: a dry run that looks at DNS as well. */
export const dryRunQuery = z.strictObject({ dryRun: z.enum(['true', 'false', 'lookup']).default('false') });

/** `swap`: a primary that the project has changes places with the domain. */
export const swapQuery = z.strictObject({ swap: z.enum(['true', 'false']).default('false') });

/** `30s` or `30`: whole seconds from 1 to 60. */
export const waitQuery = z.strictObject({
  wait: bounded(3)
    .regex(/^([1-9]|[1-5]\d|60)s?$/, 'write whole seconds from 1 to 60, such as 30s')
    .optional(),
});
