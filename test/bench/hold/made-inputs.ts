import type { ApiCall } from '../../../src/server/api-call.ts';
import type { Random } from './random.ts';
import { pick } from './random.ts';

/** Inputs at their bounds, made by the grammar of the OpenAPI document. */

type Schema = Readonly<Record<string, unknown>>;
export interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Texts that take long to read in one way or another, as long as is asked for. */
const alphabets = [
  'a',
  'a.',
  'a-',
  'ü',
  '1',
  ' ',
  '\t ',
  '{"',
  'xn--a-',
  '日本語',
  '.',
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
];

export function textOf(random: Random, length: number): string {
  if (random(4) === 0)
    return Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))).join('');
  const alphabet = pick(random, alphabets);
  return alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);
}

/** Known to the API, so that a call gets further than its first look-up. */
const known: Readonly<Record<string, readonly string[]>> = {
  project: ['shop'],
  hostname: ['www.example.com', 'new.example.com', '*.example.com'],
};

function stringOf(random: Random, name: string, { maxLength = 40, enum: values }: Schema): string {
  if (Array.isArray(values)) return pick(random, values as string[]);
  const good = [...(known[name] ?? []), ...(['from', 'to', 'primary'].includes(name) ? ['www.example.com'] : [])];
  if (good.length > 0 && random(2) === 0) return pick(random, good);
  return textOf(random, Number(maxLength) + random(2));
}

type Make = (one: Schema, field: string) => unknown;

function objectOf(random: Random, { properties = {} }: Schema, make: Make): unknown {
  const fields = Object.entries(properties as Record<string, Schema>).filter(() => random(8) > 0);
  return Object.fromEntries(fields.map(([field, one]) => [field, make(one, field)]));
}

export function valueOf(document: Document, random: Random, name: string, given: Schema): unknown {
  const { $ref } = given;
  const schema = typeof $ref === 'string' ? (document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}) : given;
  const make: Make = (one, field) => valueOf(document, random, field, one);
  const several = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  if (several) return make(pick(random, several), name);
  if ('const' in schema) return schema.const;
  if (schema.type === 'object') return objectOf(random, schema, make);
  if (schema.type === 'array') {
    const length = Number(schema.maxItems ?? 20) + random(2);
    return Array.from({ length }, () => make(schema.items as Schema, name));
  }
  if (schema.type === 'string') return stringOf(random, name, schema);
  return pick<unknown>(random, [null, true, random(70_000)]);
}

/** A path with parameters at their bound, or that lead somewhere. */
export const pathOf = (random: Random, { path }: Pick<ApiCall, 'path'>): string =>
  path.replaceAll(/\{(\w+)\}|:(\w+)/g, (_, one: string | undefined, other: string | undefined) => {
    const name = one ?? other ?? '';
    const good = known[name];
    return encodeURIComponent(good && random(8) > 0 ? pick(random, good) : textOf(random, 253));
  });
