import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Drift } from './drift.ts';

/** JSON Schema, as far as it is changed here. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}

interface PlanDefinition {
  readonly spec: {
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** What the chart's values.schema.json takes over from elsewhere. */
interface SchemaSources {
  /** folder in which plan.yaml says what a Plan's spec is */
  readonly crds: string;
  /** names of the controllers */
  readonly controllers: readonly string[];
}

/** The schema at a path where its definitions of a plan and of a controller are not what these sources say. */
export function valuesSchemaDrift({ crds, controllers }: SchemaSources, path: string): readonly Drift[] {
  const found = readFileSync(path, 'utf8');
  const schema = JSON.parse(found) as { readonly definitions: Readonly<Record<string, unknown>> };
  const controller = { type: 'string', enum: ['', ...controllers] };
  const definitions = { ...schema.definitions, plan: planSchema(crds), controller };
  const text = `${JSON.stringify({ ...schema, definitions }, null, 2)}\n`;
  return text === found ? [] : [{ path, text }];
}

function planSchema(crds: string): Schema {
  const definition = parse(readFileSync(join(crds, 'plan.yaml'), 'utf8')) as PlanDefinition;
  const spec = definition.spec.versions[0]?.schema.openAPIV3Schema.properties?.spec;
  if (!spec) throw new Error('crds/plan.yaml has no schema of a spec');
  const { description: _, ...rest } = closed(spec);
  return rest;
}

/** A structural schema prunes what it does not know; a file of values is refused for it. Helm knows no int32. */
function closed({ format: _, type, properties, ...rest }: Schema): Schema {
  const { description, ...others } = rest;
  const named = description === undefined ? {} : { description };
  if (!properties) return { ...named, type: type ?? 'object', ...others };
  const inner = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, closed(property)]));
  return { ...named, type: type ?? 'object', additionalProperties: false, ...others, properties: inner };
}
