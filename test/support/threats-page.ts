import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { edges } from '../../dev/platform/edges.ts';
import { processes, rooms, shared } from '../../dev/lint/rooms.mjs';
import { pages } from '../../src/dashboard/page-table.ts';
import * as kinds from '../../src/resources/kinds.ts';
import { apiCalls } from '../../src/server/call-table.ts';

/** What docs/contributing/threats.md must have a row for, read from the code: a new room, call, page, field, kind or edge adds to it. */

const root = join(import.meta.dirname, '../..');

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Definition {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly schema: { readonly openAPIV3Schema: { readonly properties: Readonly<Record<string, Schema>> } };
    }[];
  };
}

interface Parameter {
  readonly name: string;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Kinds that a tenant's role may write. */
const tenantKinds = ['Project', 'ProjectDomain'];

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The paths of a schema's values, as people write them: `spec.redirects[].from`. */
function leavesOf(schema: Schema, path: string, resolve: (one: Schema) => Schema): readonly string[] {
  const { anyOf, properties, items } = resolve(schema);
  if (anyOf) return anyOf.flatMap((one) => leavesOf(one, path, resolve));
  if (properties)
    return Object.entries(properties).flatMap(([name, one]) =>
      leavesOf(one, path === '' ? name : `${path}.${name}`, resolve),
    );
  return items ? leavesOf(items, `${path}[]`, resolve) : [path];
}

function fieldsOfTenantKinds(): readonly string[] {
  const definitions = readdirSync(join(root, 'crds'))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => parse(readText(`crds/${name}`)) as Definition)
    .filter(({ spec }) => tenantKinds.includes(spec.names.kind));
  return definitions.flatMap(({ spec }) => {
    const schema = spec.versions[0]?.schema.openAPIV3Schema.properties['spec'] ?? {};
    return leavesOf(schema, 'spec', (one) => one).map((path) => `${spec.names.kind} ${path}`);
  });
}

function fieldsOfRequests(): readonly string[] {
  const { paths, components } = JSON.parse(readText('docs/openapi.json')) as OpenApi;
  const resolve = (one: Schema): Schema =>
    one.$ref === undefined ? one : resolve(components.schemas[one.$ref.split('/').at(-1) ?? ''] ?? {});
  const operations = Object.values(paths).flatMap((operationsOf) => Object.values(operationsOf));
  return operations.flatMap(({ parameters = [], requestBody }) => [
    ...parameters.map(({ name }) => name),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => leavesOf(schema, '', resolve)),
  ]);
}

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort();

/** Names by the heading of the table that lists them. */
export function boundaries(): Readonly<Record<string, readonly string[]>> {
  return {
    Rooms: sorted([...Object.keys(rooms), ...shared, ...Object.keys(processes)]),
    Calls: sorted(apiCalls.map(({ method, path }) => `${method.toUpperCase()} ${path}`)),
    Pages: sorted(pages.map(({ method, path }) => `${method.toUpperCase()} ${path}`)),
    'Fields of resources': sorted(fieldsOfTenantKinds()),
    'Fields of requests': sorted(fieldsOfRequests()),
    Kinds: sorted(
      Object.entries(kinds).flatMap(([name, one]) => (name.endsWith('Kind') ? [(one as { kind: string }).kind] : [])),
    ),
    Edges: sorted(Object.keys(edges)),
  };
}

/** The first cells of the table below a heading, without the marks of code; empty without such a table. */
export function namesBelow(page: string, heading: string): readonly string[] {
  const section = page.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

/** What the page lacks and what it has too much, a sentence each. */
export function faultsOfThreats(page: string, wanted: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(wanted).flatMap(([heading, names]) => {
    const listed = namesBelow(page, heading);
    return [
      ...names
        .filter((name) => !listed.includes(name))
        .map((name) => `${heading}: no row says who reads \`${name}\` and who pays for it`),
      ...listed.filter((name) => !names.includes(name)).map((name) => `${heading}: \`${name}\` is not there any more`),
      ...listed
        .filter((name, index) => listed.indexOf(name) !== index)
        .map((name) => `${heading}: \`${name}\` has two rows`),
    ];
  });
}
