import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

/** What every CRD promises of its schema: it is documentation, and it is bounded, so that rules stay affordable. */

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string; readonly message?: string }[];
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly categories?: readonly string[] };
    readonly versions: readonly {
      readonly name: string;
      readonly subresources?: object;
      readonly additionalPrinterColumns?: readonly {
        readonly name: string;
        readonly type: string;
        readonly jsonPath: string;
      }[];
      readonly schema: { readonly openAPIV3Schema: Schema };
    }[];
  };
}

const crds = join(import.meta.dirname, '../../../crds');
const definitions = readdirSync(crds).map((file) => parse(readFileSync(join(crds, file), 'utf8')) as Definition);
const kinds = definitions.map((definition) => [definition.spec.names.kind, definition] as const);

type Node = readonly [path: string, schema: Schema];

/** Every schema below one, by path. What the API server itself describes and bounds (type and name) is left out. */
function below([path, schema]: Node): readonly Node[] {
  const properties = Object.entries(schema.properties ?? {})
    .filter(([name]) => path !== '' || !['apiVersion', 'kind', 'metadata'].includes(name))
    .map(([name, property]): Node => [`${path}.${name}`, property]);
  const items: readonly Node[] = schema.items ? [[`${path}[]`, schema.items]] : [];
  return [...properties, ...items].flatMap((node) => [node, ...below(node)]);
}

const schemaOf = ({ spec }: Definition): Schema => spec.versions[0]?.schema.openAPIV3Schema ?? {};
const nodesOf = (definition: Definition): readonly Node[] => below(['', schemaOf(definition)]);
const pathsWhere = (definition: Definition, wrong: (node: Node) => boolean): readonly string[] =>
  nodesOf(definition)
    .filter(wrong)
    .map(([path]) => path);

/** Times that have passed whenever they are there. */
const past: ReadonlySet<string> = new Set(['.metadata.creationTimestamp', '.status.lastUsedAt', '.status.limited.at']);

it('there are eight kinds', () => {
  expect(kinds.map(([kind]) => kind)).toEqual([
    'Account',
    'AcmeIssuer',
    'ApiKey',
    'HostnameClaim',
    'OrderLedger',
    'Plan',
    'ProjectDomain',
    'Project',
  ]);
});

describe.each(kinds)('%s', (kind, definition) => {
  it('describes every field', () => {
    const silent = ([path, schema]: Node) => !path.endsWith('[]') && (schema.description ?? '').trim() === '';
    expect(pathsWhere(definition, silent)).toEqual([]);
  });

  it('bounds every string (dates are bounded by their format)', () => {
    const open = ([, schema]: Node) =>
      schema.type === 'string' && !schema.enum && !schema.maxLength && schema.format !== 'date-time';
    expect(pathsWhere(definition, open)).toEqual([]);
  });

  it('bounds every list and says how two writers share it', () => {
    const open = ([, schema]: Node) =>
      schema.type === 'array' && (schema.maxItems === undefined || schema['x-kubernetes-list-type'] === undefined);
    expect(pathsWhere(definition, open)).toEqual([]);
  });

  it('gives every rule a message', () => {
    const rules = [['', schemaOf(definition)] as Node, ...nodesOf(definition)].flatMap(
      ([, schema]) => schema['x-kubernetes-validations'] ?? [],
    );
    expect(rules.filter(({ message = '' }) => message === '')).toEqual([]);
  });

  it('prints more than its name, and is found among all kinds of custom domains', () => {
    const [version] = definition.spec.versions;
    expect(version).toMatchObject({ name: 'v1alpha1' });
    expect(version?.additionalPrinterColumns?.map(({ name }) => name)).toContain('Age');
    expect(definition.spec.names.categories).toEqual(['custom-domains']);
  });

  it('prints ages of what has been, as kubectl prints <invalid> for the age of what is to come', () => {
    const ages = definition.spec.versions[0]?.additionalPrinterColumns?.filter(({ type }) => type === 'date') ?? [];
    expect(ages.map(({ jsonPath }) => jsonPath).filter((path) => !past.has(path))).toEqual([]);
  });

  it('separates status from spec where it has one', () => {
    const hasStatus = schemaOf(definition).properties?.status !== undefined;
    expect(definition.spec.versions[0]?.subresources !== undefined).toBe(hasStatus);
    expect(hasStatus).toBe(!['HostnameClaim', 'OrderLedger', 'Plan'].includes(kind));
  });
});

it('both doors to a hostname have the same rules, but that a domain alone may be a wildcard', () => {
  const isAboutWildcards = ({ rule }: { readonly rule: string }) => rule.startsWith("!self.startsWith('*')");
  const rules = definitions
    .filter(({ spec }) => spec.names.kind !== 'OrderLedger')
    .flatMap(nodesOf)
    .filter(([path]) => /\.(hostname|to|from|primary)$/.test(path) && path.startsWith('.spec.'))
    .map(([, schema]) => (schema['x-kubernetes-validations'] ?? []).filter((rule) => !isAboutWildcards(rule)));
  expect(rules).toHaveLength(5);
  for (const rule of rules) expect(rule).toEqual(rules[0]);
  expect(rules[0]).not.toHaveLength(0);
});
