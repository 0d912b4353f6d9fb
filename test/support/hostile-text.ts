import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Objects whose every text is hostile: what a terminal obeys, what turns the direction of text, and what cannot be seen. */

/** One of each sort that matters, by code point, so that nothing of src/ decides what is looked for. */
const sorts: Readonly<Record<string, string>> = {
  'OSC 52, which writes the clipboard': '\u001b]52;c;cm0=\u0007',
  'CSI of eight bits': '\u009b31m',
  'delete and backspace': '\u007f\b',
  'carriage return, tab and line feed': '\r\t\n',
  null: '\u0000',
  'next line and line and paragraph separators': '\u0085\u2028\u2029',
  'embeddings, overrides and isolates': '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
  'marks of direction': '\u200e\u200f\u061c',
  'no width': '\u200b\u200c\u200d\u2060\ufeff\u00ad',
  tags: '\u{e0001}\u{e0041}\u{e007f}',
  'variation selectors': '\ufe0f\u{e0100}',
  'half of a surrogate pair': '\ud800',
};

/** All of them, with letters around by which what is shown is recognised. */
export const hostile = `Seen${Object.values(sorts).join('')}Seen`;

/** First and last code point of what no output has as it is; a line feed is not among them, as outputs are made of lines. */
const raw: readonly (readonly [number, number])[] = [
  [0x0, 0x9],
  [0xb, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe01ef],
];

/** What of these sorts stands in an output as it is, such as `U+202e`. */
export const rawIn = (output: string): readonly string[] =>
  [...new Set(output)]
    .map((character) => character.codePointAt(0) ?? 0)
    .filter((code) => raw.some(([first, last]) => first <= code && code <= last))
    .map((code) => `U+${code.toString(16)}`);

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
}

interface Definition {
  readonly spec: {
    readonly names: { readonly kind: string; readonly plural: string };
    readonly scope: 'Namespaced' | 'Cluster';
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

const folder = join(import.meta.dirname, '../../crds');

/** The definitions of our kinds, as they are shipped. */
export const definitions: readonly Definition['spec'][] = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => (parse(readFileSync(join(folder, name), 'utf8'), { merge: true }) as Definition).spec);

export interface HostileOptions {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  /** which value an enumeration has, and whether a flag is set */
  readonly variant: number;
  /** by path, such as `spec.project`: what has to be there for the object to be shown at all */
  readonly kept?: Readonly<Record<string, unknown>>;
}

/** Every text of the kind's schema is hostile, but for times and enumerations, which no server takes otherwise: a new field is too. */
export function hostileObject({ kind, name, namespace, variant, kept = {} }: HostileOptions): {
  readonly object: { readonly metadata: { readonly name: string } };
  /** the paths of the hostile texts */
  readonly fields: readonly string[];
} {
  const definition = definitions.find(({ names }) => names.kind === kind);
  const version = definition?.versions[0];
  if (!version) throw new Error(`no definition of ${kind}`);
  const fields: string[] = [];
  const valueOf = (schema: Schema, path: string): unknown => {
    if (path in kept) return kept[path];
    if (schema.enum) return schema.enum[variant % schema.enum.length];
    switch (schema.type) {
      case 'string':
        if (schema.format === 'date-time') return '2026-01-02T03:04:05Z';
        fields.push(path);
        return hostile;
      case 'boolean':
        return variant % 2 === 0;
      case 'integer':
        return schema.minimum ?? 1;
      case 'array':
        return schema.items ? [valueOf(schema.items, `${path}[]`)] : [];
      default:
        if (schema.additionalProperties) return { name: valueOf(schema.additionalProperties, `${path}{}`) };
        return Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([key, one]) => [
            key,
            valueOf(one, path === '' ? key : `${path}.${key}`),
          ]),
        );
    }
  };
  const { spec = {}, status } = version.schema.openAPIV3Schema.properties ?? {};
  const object = {
    apiVersion: `projectdomain.io/${version.name}`,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: valueOf(spec, 'spec'),
    ...(status ? { status: valueOf(status, 'status') } : {}),
  };
  return { object, fields };
}
