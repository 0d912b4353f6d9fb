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

const banner = '/* Generated from crds/ by `npm run generate`; never edited by hand. */';

/** What all kinds have in common: the same shapes as kubernetes/kubernetes-port.ts has, which generated code may not import. */
const common = `${banner}

/** The metadata that our code reads. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
    readonly controller?: boolean;
  }[];
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
}

/** An observation (Kubernetes API conventions, Typical status properties). */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** one CamelCase word of a documented set */
  readonly reason: string;
  /** for people, with what to do */
  readonly message: string;
  /** the metadata.generation that this was observed for */
  readonly observedGeneration?: number;
  /** when the status last changed; RFC 3339 */
  readonly lastTransitionTime: string;
}
`;
const commonFile = 'object-meta.ts';

/** TypeScript for every CRD in a folder: file name to text. */
export async function typesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  const made = await Promise.all(
    files.map(async (file) => [file.replace('.yaml', '.ts'), await typeOf(join(folder, file))] as const),
  );
  return new Map([[commonFile, common], ...made]);
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
    metadata: { tsType: 'ObjectMeta' },
  };
  const whole = { ...closed, properties, required: ['apiVersion', 'kind', 'metadata', 'spec'] } as JSONSchema4;
  const text = await compile(whole, spec.names.kind, {
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 120 },
  });
  const used = ['Condition', 'ObjectMeta'].filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return `${banner}\n\nimport type { ${used.join(', ')} } from './${commonFile}';\n\n${withReadonly(text).trimStart()}`;
}

const isConditions = (schema: JSONSchema4): boolean =>
  !Array.isArray(schema.items) && schema.items?.properties?.lastTransitionTime !== undefined;

/** A structural schema prunes what it does not name, so its objects are closed, but for maps. */
function close(schema: JSONSchema4): JSONSchema4 {
  if (isConditions(schema)) return { ...schema, items: { tsType: 'Condition' } };
  const { properties, items } = schema;
  const inner = properties
    ? { properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, close(value)])) }
    : {};
  const closed = schema.type === 'object' ? { additionalProperties: schema.additionalProperties ?? false } : {};
  return { ...schema, ...closed, ...inner, ...(items && !Array.isArray(items) ? { items: close(items) } : {}) };
}
