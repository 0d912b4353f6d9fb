import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JSONSchema4 } from 'json-schema';
import { compile } from 'json-schema-to-typescript';
import { parse } from 'yaml';
import { withReadonly } from './readonly.ts';

interface Definition {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: JSONSchema4 } }[];
  };
}

/** The metadata that our code reads; the same shape as kubernetes/kubernetes-port.ts' ObjectMeta, which generated code may not import. */
const metadata = `{
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  labels?: Readonly<Record<string, string>>;
  annotations?: Readonly<Record<string, string>>;
  ownerReferences?: {
    apiVersion: string;
    kind: string;
    name: string;
    uid: string;
    controller?: boolean;
  }[];
  creationTimestamp?: string;
  deletionTimestamp?: string;
  finalizers?: string[];
}`;

const banner = '/* Generated from crds/ by `npm run generate`; never edited by hand. */';

/** TypeScript for every CRD in a folder: file name to text. */
export async function typesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  const made = await Promise.all(
    files.map(async (file) => [file.replace('.yaml', '.ts'), await typeOf(join(folder, file))] as const),
  );
  return new Map(made);
}

async function typeOf(file: string): Promise<string> {
  const { spec } = parse(readFileSync(file, 'utf8')) as Definition;
  const schema = spec.versions[0]?.schema.openAPIV3Schema;
  if (!schema) throw new Error(`${file} has no schema`);
  const closed = close(schema);
  const properties = {
    ...closed.properties,
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { tsType: metadata },
  };
  const whole = { ...closed, properties, required: ['apiVersion', 'kind', 'metadata', 'spec'] } as JSONSchema4;
  const text = await compile(whole, spec.names.kind, {
    bannerComment: banner,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 120 },
  });
  return withReadonly(text);
}

/** A structural schema prunes what it does not name, so its objects are closed, but for maps. */
function close(schema: JSONSchema4): JSONSchema4 {
  const { properties, items } = schema;
  const inner = properties
    ? { properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, close(value)])) }
    : {};
  const closed = schema.type === 'object' ? { additionalProperties: schema.additionalProperties ?? false } : {};
  return { ...schema, ...closed, ...inner, ...(items && !Array.isArray(items) ? { items: close(items) } : {}) };
}
