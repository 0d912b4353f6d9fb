import { z } from 'zod';
import type { ProblemCode } from '../use-cases/problem.ts';
import { problemCodes } from '../rules/codes/problem-codes.ts';
import type { ApiCall } from './api-call.ts';
import { tagsMaximum } from './entity-tag.ts';
import { keyMaximum } from './idempotency/idempotency-key.ts';
import type { Idempotency } from './idempotency/kept-answers-port.ts';
import { pathParameterMaximum } from './request-validation.ts';
import { problem } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

/** Problems that every call can respond with, besides its own. */
const everywhere: readonly ProblemCode[] = [
  'malformed-request',
  'unknown-field',
  'unauthenticated',
  'abnormal-usage-detected',
  'quota-exceeded',
  'internal-error',
  'starting',
];
/** Writes queue for their turn. */
const changing: readonly ProblemCode[] = ['too-many-writes', 'overloaded'];
/** What may come of an idempotency key. */
const keyed: Readonly<Record<Idempotency, readonly ProblemCode[]>> = {
  'by-name': ['idempotency-key-in-use', 'idempotency-key-reused'],
  'by-record': [
    'idempotency-key-in-use',
    'idempotency-key-reused',
    'too-many-idempotency-keys',
    'idempotency-unavailable',
  ],
};
const withBody: readonly ProblemCode[] = ['payload-too-large', 'unsupported-media-type'];

/** The OpenAPI 3.1 document, generated from the same table of calls that is served. */
export function openApiDocument(routes: readonly ApiCall[]): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= { ...pathParameters(route.path) });
    path[route.method] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Projectdomain API',
      version: '1',
      description:
        'Custom domains of an account’s projects. Every response carries X-RateLimit-Limit, -Remaining and -Reset for the more restrictive quota window, and RateLimit and RateLimit-Policy for both windows.',
      contact: { name: 'Projectdomain', url: 'https://github.com/projectdomain/projectdomain' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: tagsOf(routes),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'pd_<keyId>_<secret><checksum>' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      headers: { ...quotaHeaders, 'Idempotency-Replayed': replayed, ETag: etag },
      schemas: components(routes),
    },
  };
}

/** What stands behind each first word of a path. */
const tags: Readonly<Record<string, string>> = {
  account: 'The account of the key: its plan, its limits, and what it has used.',
  projects: 'Projects, with their domains, certificates and hand-over links.',
  domains: 'The domains of the account, over all of its projects.',
  lookups: 'What DNS says of a hostname, before it is added.',
  keys: 'Keys to this API.',
};

const tagOf = (path: string): string => path.split('/')[2] ?? '';

/** Each tag of a call once, in their order. */
const tagsOf = (routes: readonly ApiCall[]): readonly Json[] =>
  [...new Set(routes.map(({ path }) => tagOf(path)))].map((name) => ({ name, description: tags[name] }));

function operation(route: ApiCall): Json {
  const { name, summary, query, successes, path, method, idempotency, conditional } = route;
  const body = bodyOf(route);
  const parameters = [
    ...(query ? queryParameters(query) : []),
    ...(idempotency ? [idempotencyKey] : []),
    ...(conditional ? [conditionOf(method)] : []),
  ];
  const isTagged = conditional === true && method === 'get';
  const own = { ...(idempotency ? replayedHeader : {}), ...(isTagged ? tagHeader : {}) };
  return {
    operationId: name,
    summary,
    ...describedBy(route),
    tags: [tagOf(path)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: reference(body) } } } } : {}),
    responses: {
      ...Object.fromEntries(Object.entries(successes).map(([status, success]) => [status, succeeding(success, own)])),
      ...(isTagged ? { 304: notModified } : {}),
      ...failures(codesOf(route)),
    },
  };
}

/** What is said of a call's body. */
const bodyOf = ({ body, documentedBody }: ApiCall): z.ZodType | undefined => documentedBody ?? body;

/** What the schemas do not say: the scope, and a cost that is not 1 for every query. */
function describedBy({ scope, cost, free, bulk }: ApiCall): Json {
  const always = cost?.({}) ?? 1;
  const words = [
    scope ? `Requires the scope ${scope}.` : 'Any key will do, whatever its scopes.',
    ...(always > 1 ? [`Counts as ${always} requests.`] : []),
    ...(bulk
      ? ['Counts as one request for each item, and does nothing where fewer are left. One of an account at a time.']
      : []),
    ...(free ? ['Spends no quota.'] : []),
  ];
  return { description: words.join(' ') };
}

const codesOf = ({
  method,
  scope,
  body,
  problems,
  withoutTurn,
  idempotency,
  conditional,
}: ApiCall): readonly ProblemCode[] => [
  ...everywhere,
  ...(method === 'get' || withoutTurn ? [] : changing),
  ...(body ? withBody : []),
  ...(idempotency ? keyed[idempotency] : []),
  ...(method === 'get' && !conditional ? [] : ['precondition-failed' as const]),
  ...(scope ? ['scope-missing' as const] : []),
  ...problems,
];

const headerNames = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
];
const quotaHeaders = Object.fromEntries(
  headerNames.map((name) => {
    const isNumber = name.startsWith('X-');
    const description = isNumber ? 'For the more restrictive window; Reset in Unix seconds.' : 'For both windows.';
    return [name, { description, required: true, schema: { type: isNumber ? 'integer' : 'string' } }];
  }),
);
const headers = Object.fromEntries(headerNames.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const replayed = {
  description: 'Where this is the answer that an earlier request with the same Idempotency-Key got.',
  schema: { type: 'string', enum: ['true'] },
};

const replayedHeader = { 'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' } };

const etag = {
  description:
    'Of this representation (RFC 9110): another one has another. Send it in If-None-Match, and in If-Match with a change.',
  required: true,
  schema: { type: 'string' },
};
const tagHeader = { ETag: { $ref: '#/components/headers/ETag' } };

const notModified = { description: 'It is as you have it, by If-None-Match.', headers: { ...headers, ...tagHeader } };

/** The header of a conditional request. */
const conditionOf = (method: ApiCall['method']): Json => ({
  name: method === 'get' ? 'If-None-Match' : 'If-Match',
  in: 'header',
  required: false,
  description:
    method === 'get'
      ? 'ETags of what you have: if it is still so, the answer is 304 without a body.'
      : 'ETags of GET, or `*`: if what can be changed of it was changed since, the answer is 412 and nothing is done.',
  schema: { type: 'string', maxLength: tagsMaximum },
});

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Of your own choice, such as a UUID: for 24 hours the same request with the same key is answered as the first was, and does nothing more. 1 to 255 visible ASCII characters, as a string of structured fields (RFC 9651) or without the quotation marks. A dry run ignores it.',
  schema: { type: 'string', minLength: 1, maxLength: 2 * keyMaximum + 2 },
} as const;

function succeeding(
  { description, schema, contentType = 'application/json' }: ApiCall['successes'][number],
  own: Json,
): Json {
  return {
    description,
    headers: { ...headers, ...own },
    ...(schema ? { content: { [contentType]: { schema: reference(schema) } } } : {}),
  };
}

/** One response per status, listing the problem codes that it can carry. */
function failures(codes: readonly ProblemCode[]): Json {
  const statuses = [...new Set(codes.map((code) => problemCodes[code].status))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const here = [...new Set(codes)].filter((code) => problemCodes[code].status === status);
      const schema = { allOf: [reference(problem), { properties: { code: { enum: here } } }] };
      const description = here.map((code) => `${code}: ${problemCodes[code].title}`).join('; ');
      return [String(status), { description, headers, content: { 'application/problem+json': { schema } } }];
    }),
  );
}

const parameterMeanings: Readonly<Record<string, string>> = {
  project: 'Name of the project.',
  hostname: 'The hostname, in any case, with or without a final dot, in A-labels or in Unicode.',
  key: 'The public part of the key.',
  link: 'Id of the link.',
};

function pathParameters(path: string): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  const schema = { type: 'string', maxLength: pathParameterMaximum };
  const parameters = names.map((name) => ({
    ...{ name, in: 'path', required: true, description: parameterMeanings[name] },
    schema,
  }));
  return { parameters };
}

/** With references to the document's own components. */
const lifted = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/$defs/', '#/components/schemas/'));

function queryParameters(query: z.ZodType): readonly Json[] {
  const { properties = {}, required = [] } = lifted(z.toJSONSchema(query, { io: 'input' })) as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    ...{ name, in: 'query', required: required.includes(name), description },
    schema: name === 'limit' ? { type: 'integer', minimum: 1, maximum: 100, default: 50 } : listOf(schema),
  }));
}

/** A parameter that may be repeated is a list, of which OpenAPI's default is one parameter for each item. */
const listOf = ({ anyOf, ...schema }: Json): Json => {
  const list = Array.isArray(anyOf) ? (anyOf as readonly Json[]).find(({ type }) => type === 'array') : undefined;
  return anyOf === undefined ? schema : { ...schema, ...(list ?? { anyOf }) };
};

const idOf = (schema: z.ZodType): string => {
  const id = schema.meta()?.id;
  if (typeof id !== 'string') throw new Error('a schema of a route has no id');
  return id;
};

const reference = (schema: z.ZodType): Json => ({ $ref: `#/components/schemas/${idOf(schema)}` });

/** Every named schema: request bodies in their input form, responses in their output form. */
function components(routes: readonly ApiCall[]): Json {
  const inputs = new Set(routes.flatMap((route) => bodyOf(route) ?? []));
  const outputs = new Set([
    problem,
    ...routes.flatMap(({ successes }) => Object.values(successes).flatMap(({ schema }) => (schema ? [schema] : []))),
  ]);
  const all = [
    ...[...inputs].map((schema) => described(schema, 'input')),
    ...[...outputs].map((schema) => described(schema, 'output')),
  ];
  return Object.fromEntries(all.flatMap((found) => Object.entries(found)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A schema and the named schemas inside it, extracted into separate components, by id. */
function described(schema: z.ZodType, io: 'input' | 'output'): Json {
  const {
    $schema: _,
    $defs = {},
    ...own
  } = z.toJSONSchema(schema, {
    ...{ io, reused: 'inline', override: ({ jsonSchema }) => withoutOwnDialect(jsonSchema) },
  }) as Record<string, Json>;
  const all = lifted({ [idOf(schema)]: own, ...$defs }) as Json;
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, withoutId(value as Json)]));
}

/** A pattern that only our flags make one is refused by linters and read as another by clients: the server says what it takes. */
function withoutOwnDialect(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.pattern !== undefined && !isPlain(schema.pattern)) delete schema.pattern;
}

function isPlain(pattern: string): boolean {
  try {
    return new RegExp(pattern).source !== '';
  } catch {
    return false;
  }
}

const withoutId = ({ id: _, ...rest }: Json): Json => rest;
