import { describe, expect, it } from '@jest/globals';
import { apiCalls } from '../../../src/server/call-table.ts';
import { openApiDocument } from '../../../src/server/openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
}

interface Parameter {
  readonly name: string;
  readonly description?: string;
}

const document = openApiDocument(apiCalls) as {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | readonly unknown[]>>>>;
};
const operations = Object.values(document.paths).flatMap((path) =>
  Object.values(path).filter((one): one is Operation => 'operationId' in one),
);

/** What linters of OpenAPI documents ask for (Spectral's operation-description, operation-tag-defined, tag-description, openapi-tags). */
describe('the OpenAPI document', () => {
  it.each(operations.map((one) => [one.operationId, one] as const))('describes %s', (_, operation) => {
    expect(operation.summary).toMatch(/\S/);
    expect(operation.description).toMatch(/^(?:Requires the scope|Any key will do).*\.$/);
  });

  it('has no pattern that only some regular expressions read', () => {
    const patterns = [...JSON.stringify(openApiDocument(apiCalls)).matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g)];
    expect(patterns.length).toBeGreaterThan(2);
    for (const [, pattern = ''] of patterns) expect(() => new RegExp(JSON.parse(pattern) as string)).not.toThrow();
  });

  it('defines each tag that its calls have, with what it stands for, and no other', () => {
    const used = new Set(operations.flatMap(({ tags }) => tags));
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
    for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].*\.$/);
  });

  it('describes every schema, every property and every parameter as a sentence, itself or where it is defined', () => {
    const { schemas } = (openApiDocument(apiCalls) as { readonly components: { readonly schemas: Schemas } })
      .components;
    const properties = Object.entries(schemas).flatMap(([name, schema]) => [
      [name, schema] as const,
      ...propertiesIn(name, schema),
    ]);
    const parameters = Object.entries(document.paths).flatMap(([path, calls]) =>
      Object.values(calls)
        .flatMap((one) => ('operationId' in one ? (one.parameters ?? []) : (one as readonly Parameter[])))
        .map((parameter) => [`${path} ${parameter.name}`, parameter] as const),
    );
    expect([properties.length > 200, parameters.length > 20]).toEqual([true, true]);
    const told = ({ description, $ref }: Schema) =>
      description ?? schemas[$ref?.split('/').at(-1) ?? '']?.description ?? '';
    const silent = [...properties, ...parameters].filter(([, one]) => !/^\P{Ll}.*\.$/su.test(told(one)));
    expect(silent.map(([name]) => name)).toEqual([]);
  });
});

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Schemas;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

type Schemas = Readonly<Record<string, Schema>>;

function propertiesIn(
  at: string,
  { properties = {}, items, anyOf = [] }: Schema,
): readonly (readonly [string, Schema])[] {
  const own = Object.entries(properties).flatMap(([name, one]) => [
    [`${at}.${name}`, one] as const,
    ...propertiesIn(`${at}.${name}`, one),
  ]);
  return [...own, ...(items ? propertiesIn(`${at}[]`, items) : []), ...anyOf.flatMap((one) => propertiesIn(at, one))];
}
