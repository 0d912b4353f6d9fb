import { describe, expect, it } from '@jest/globals';
import { kebabCase } from '../../../src/rules/kebab-case.ts';
import { issueActs } from '../../../src/rules/issue-acts.ts';
import { issueCodes } from '../../../src/rules/issue-params.ts';
import { conditionReasons } from '../../../src/rules/reasons.ts';
import { apiCalls } from '../../../src/server/call-table.ts';
import { openApiDocument } from '../../../src/server/openapi.ts';

/** REST has one language (docs/adr/0106): fails for a field, a value or a time of any schema that is written in another way. */

type Schema = Readonly<Record<string, unknown>>;

const document = openApiDocument(apiCalls) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { parameters?: readonly Schema[] }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** A schema that stands somewhere in the document, and where. */
interface Place {
  readonly at: string;
  readonly schema: Schema;
}

function inside({ at, schema }: Place): readonly Place[] {
  const parts = [
    ...Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(
      ([name, part]) => [`${at}.${name}`, part] as const,
    ),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((key) =>
      ((schema[key] ?? []) as Schema[]).map((part) => [at, part] as const),
    ),
    ...(schema.items ? [[`${at}[]`, schema.items as Schema] as const] : []),
    ...(typeof schema.additionalProperties === 'object'
      ? [[`${at}[]`, schema.additionalProperties as Schema] as const]
      : []),
  ];
  return [{ at, schema }, ...parts.flatMap(([where, part]) => inside({ at: where, schema: part }))];
}

const schemas = Object.entries(document.components.schemas).flatMap(([at, schema]) => inside({ at, schema }));
const parameters = Object.entries(document.paths).flatMap(([path, calls]) =>
  Object.values(calls).flatMap(({ parameters: all = [] }) =>
    all.flatMap((one) => inside({ at: `${path}.${String(one.name)}`, schema: one.schema as Schema })),
  ),
);
const places = [...schemas, ...parameters];
const nameOf = (at: string): string => (at.split('.').at(-1) ?? '').replaceAll('[]', '');

/** Types of DNS records are names of their own, and scopes have the form that OAuth's have. */
const otherWords = /^(?:CNAME|ALIAS|TXT|[a-z]+:[a-z]+)$/;

describe('every schema of REST', () => {
  it('has fields and parameters in camelCase', () => {
    const names = new Set(places.map(({ at }) => nameOf(at)).filter((name) => !/^[A-Z]/.test(name)));
    expect(names.size).toBeGreaterThan(60);
    expect([...names].filter((name) => !/^[a-z][a-zA-Z\d]*$/.test(name))).toEqual([]);
  });

  it('has values of enumerations in kebab-case', () => {
    const values = places.flatMap(({ at, schema }) =>
      [...((schema.enum ?? []) as unknown[]), ...('const' in schema ? [schema.const] : [])].map(
        (value) => [at, value] as const,
      ),
    );
    expect(values.length).toBeGreaterThan(200);
    // What is sorted by is a field.
    const texts = values.filter(([at, value]) => typeof value === 'string' && !at.endsWith('.sort')) as [
      string,
      string,
    ][];
    expect(texts.filter(([, text]) => !/^[a-z\d]+(?:-[a-z\d]+)*$/.test(text) && !otherWords.test(text))).toEqual([]);
  });

  it('has times in RFC 3339, and nowhere seconds since 1970', () => {
    const times = places.filter(
      ({ at, schema }) => /(?:At|[uU]ntil|since|notBefore|notAfter)$/.test(at) && 'type' in schema,
    );
    expect(times.length).toBeGreaterThan(15);
    const isTime = ({ type, format }: Schema) => type === 'null' || (type === 'string' && format === 'date-time');
    expect(times.filter(({ schema }) => !isTime(schema)).map(({ at }) => at)).toEqual([]);
    expect(JSON.stringify(document.components.schemas)).not.toMatch(/unix|epoch/i);
  });

  it('lists the words of whatever is one of a few', () => {
    const words = /\.(?:state|reason|code|act|actor|kind|severity|purpose|status|role|source|verdict)$/;
    const said = schemas.filter(({ at }) => words.test(at) && !/^(?:Problem|Usage)\./.test(at));
    expect(said.length).toBeGreaterThan(20);
    const isListed = (schema: Schema): boolean =>
      schema.type === 'integer' ||
      ['enum', 'const', '$ref', 'anyOf', 'oneOf'].some((key) => key in schema) ||
      schema.type === 'null';
    expect(said.filter(({ schema }) => !isListed(schema)).map(({ at }) => at)).toEqual([]);
  });
});

describe('a word of the resources', () => {
  it.each([
    ['Live', 'live'],
    ['SubdomainTaken', 'subdomain-taken'],
    ['IPLiteral', 'ip-literal'],
    ['CAAForbids', 'caa-forbids'],
    ['CaaForbidsAuthority', 'caa-forbids-authority'],
    ['keyCompromise', 'key-compromise'],
    ['quota-exceeded', 'quota-exceeded'],
  ])('%s is %s in REST', (word, expected) => {
    expect(kebabCase(word)).toBe(expected);
  });

  it('is no other one’s, of those that can stand in the same place', () => {
    const reasons = Object.values(conditionReasons).flatMap((types) => Object.values(types).flatMap(Object.keys));
    for (const words of [[...reasons, ...Object.keys(issueCodes)], Object.keys(issueActs)]) {
      const all = new Set(words);
      expect(new Set([...all].map(kebabCase)).size).toBe(all.size);
    }
  });
});
