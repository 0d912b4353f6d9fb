import { z } from 'zod';
import { recordStatuses } from '../rules/desired-records.ts';
import { domainStateNames } from '../rules/domain-state.ts';
import { issueActors } from '../rules/codes/code-rows.ts';
import { limitFields } from '../rules/plan-limits.ts';
import { projectStateNames, projectStates } from '../rules/project-state.ts';
import type { DomainView } from '../use-cases/domain-view.ts';
import type { AccountView, UsageView } from '../use-cases/account-and-usage.ts';
import type { ProjectView } from '../use-cases/projects.ts';

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
export const hostname = text(253).meta({ description: 'A hostname in lower case A-labels, without a trailing dot.' });
export const time = z.iso.datetime({ offset: true });
/** The same from a client: nine digits of a second, and an offset. */
export const sentTime = time.max(40);
export const redirectStatus = z.union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)]);
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
      bulkItems: z.int().meta({ description: 'Items of one call that takes many; each counts as a request.' }),
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
  resetAt: z.int().meta({ description: 'Unix seconds.' }),
});

const banStep = z.int().meta({
  description: 'How many bans of the account counted, this one included: 1 to 5, each longer than the one before.',
});

export const usage = describing<UsageView>()(
  z
    .strictObject({
      minute: usageWindow,
      day: usageWindow,
      nextRequestAt: z.int().nullable().meta({
        description: "When a request of the caller's key passes again, Unix seconds; null if the next one does.",
      }),
      ban: z
        .strictObject({ until: z.int().meta({ description: 'Unix seconds.' }), step: banStep, reason: z.string() })
        .nullable(),
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

export const project = describing<ProjectView>()(
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
      reason: z.string().meta({
        description: 'Why, as one word in kebab-case, such as `ready`, `not-deployed` or `subdomain-taken`.',
      }),
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
    purpose: z.enum(['Routing', 'Ownership', 'Certificate']),
    type: z.enum(['CNAME', 'ALIAS', 'TXT']),
    name: z.string().meta({ description: 'Relative to the zone, as registrars’ forms expect it: www, shop.eu, @.' }),
    fqdn: z.string(),
    value: z.string(),
    ttl: z.int().meta({ description: 'Seconds.' }),
    status: z.enum(recordStatuses).meta({
      description:
        'What the last check found. Stale: only some servers of the zone have it. Conflicting: another record stands beside it. Unknown: nothing could be read.',
    }),
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

export const issue = z
  .strictObject({
    code: z.string(),
    severity: z.enum(['Error', 'Warning']).meta({ description: 'A warning keeps no domain from being served.' }),
    act: z.string().nullable().meta({ description: 'What has to be done; null if an older version wrote it.' }),
    actor: z.enum(issueActors).meta({
      description: 'Who can do it. Owner: whoever edits the records. DnsHost: the company that runs the name servers.',
    }),
    params: z.record(z.string(), z.string()).meta({
      description: 'What the sentences of the code and the act mention: render pages from these, not from the message.',
    }),
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

export const domain = describing<DomainView>()(
  z
    .strictObject({
      hostname: z.string(),
      project: z.string(),
      role,
      redirect: redirect.nullable(),
      prepare: z.boolean().meta({ description: 'The certificate is obtained before the hostname is switched here.' }),
      state: z.enum(domainStateNames),
      reason: z.string(),
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
      waits: z.strictObject({ reason: z.string(), until: time.nullable() }).nullable().meta({
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
const redirectChange = z.strictObject({ to: hostname, status: redirectStatus.default(301) });

export const domainNew = z
  .strictObject({
    hostname,
    role: role.default('primary'),
    redirect: redirectChange.nullable().optional(),
    prepare: prepare.optional(),
  })
  .meta({ id: 'NewDomain', description: 'A hostname to add. The role `redirect` requires `redirect`.' });

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
