import { describe, expect, it } from '@jest/globals';
import { apiCalls } from '../../../src/server/call-table.ts';
import { openApiDocument } from '../../../src/server/openapi.ts';

/**
 * Length before meaning: whatever a client sends to the API has a bound that its schema tells. Fails for a new field, parameter or list
 * without one, whoever adds it.
 */

type Schema = Readonly<Record<string, unknown>>;

const document = openApiDocument(apiCalls) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const resolved = (schema: Schema): Schema =>
  typeof schema.$ref === 'string' ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

const partsOf = (schema: Schema): readonly (readonly [string, Schema])[] => [
  ...Object.entries((schema.properties ?? {}) as Record<string, Schema>),
  ...((schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []) as Schema[]).map((one, at) => [`(${at})`, one] as const),
  ...(schema.items ? [['[]', schema.items as Schema] as const] : []),
  ...(isMap(schema) ? [['{}', schema.additionalProperties] as const, ['{name}', schema.propertyNames] as const] : []),
];

/** An object of names that clients choose. */
const isMap = (schema: Schema): schema is Schema & Readonly<Record<'additionalProperties' | 'propertyNames', Schema>> =>
  typeof schema.additionalProperties === 'object' && typeof schema.propertyNames === 'object';

const ofOneSize: readonly unknown[] = ['integer', 'number', 'boolean', 'null'];
const made: readonly string[] = ['const', 'enum', 'anyOf', 'oneOf', 'allOf'];

/** Why a value that fits the schema may be of any size; null where it may not. Parts are looked at for themselves. */
function missingBound(schema: Schema): string | null {
  const { type, maxLength, maxItems, additionalProperties } = schema;
  if (made.some((key) => key in schema) || ofOneSize.includes(type)) return null;
  if (type === 'string') return typeof maxLength === 'number' ? null : 'a string without maxLength';
  if (type === 'array') return typeof maxItems === 'number' ? null : 'a list without maxItems';
  if (isMap(schema)) return typeof schema.maxProperties === 'number' ? null : 'a map without maxProperties';
  if (type === 'object') return additionalProperties === false ? null : 'an object that takes any field';
  return `a value of the type ${String(type)}`;
}

function unbounded(where: string, given: Schema): readonly string[] {
  const schema = resolved(given);
  const missing = missingBound(schema);
  return [
    ...(missing === null ? [] : [`${where}: ${missing}`]),
    ...partsOf(schema).flatMap(([name, part]) => unbounded(`${where}.${name}`, part)),
  ];
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const operations = Object.entries(document.paths).flatMap(([path, { parameters = [], ...methods }]) =>
  Object.values(methods as Record<string, Operation>).map((operation) => ({
    ...operation,
    path,
    parameters: [...(parameters as NonNullable<Operation['parameters']>), ...(operation.parameters ?? [])],
  })),
);

describe('what a client sends has a bound', () => {
  it('in every call that is served', () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
      apiCalls.map(({ name }) => name).toSorted(),
    );
  });

  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    '%s',
    (name, { parameters, requestBody }) => {
      const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
      expect([
        ...parameters.flatMap((parameter) => unbounded(`${name} ${parameter.name}`, parameter.schema)),
        ...bodies.flatMap((schema) => unbounded(name, schema)),
      ]).toEqual([]);
    },
  );

  it.each<[string, Schema, readonly string[]]>([
    ['a string', { type: 'string' }, ['x: a string without maxLength']],
    ['a list', { type: 'array', items: { type: 'string', maxLength: 1 } }, ['x: a list without maxItems']],
    ['an open object', { type: 'object', properties: {} }, ['x: an object that takes any field']],
    [
      'a map',
      {
        type: 'object',
        propertyNames: { type: 'string' },
        additionalProperties: { type: 'string', maxLength: 1 },
      },
      ['x: a map without maxProperties', 'x.{name}: a string without maxLength'],
    ],
    [
      'a map of values',
      {
        ...{ type: 'object', maxProperties: 1 },
        propertyNames: { type: 'string', maxLength: 1 },
        additionalProperties: { type: 'string' },
      },
      ['x.{}: a string without maxLength'],
    ],
    ['one of several', { anyOf: [{ type: 'null' }, { type: 'string' }] }, ['x.(1): a string without maxLength']],
  ])('and %s without one is found', (_, schema, found) => {
    expect(unbounded('x', schema)).toEqual(found);
  });
});
