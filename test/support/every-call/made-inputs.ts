import type { ApiCall } from '../../../src/server/api-call.ts';
import { domains, primary, redirecting } from './full-account.ts';
import type { Random } from './random.ts';
import { pick } from './random.ts';

/** Inputs at their bounds, made by the grammar of the OpenAPI document and of the dashboard's forms. */

type Schema = Readonly<Record<string, unknown>>;
export interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Where the numbers of an input come from; a fit one is of the right length and leads somewhere, so that the whole handler runs. */
export interface Source {
  readonly random: Random;
  readonly isFit: boolean;
  /** what only a run has that is taken, by the name of a field or parameter */
  readonly known: Readonly<Record<string, string>>;
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

/** One of the redirects of the project. */
const anyHostname = (random: Random): string => `h${random(domains)}.example.com`;
/** Of so many that five hundred are different ones. */
const newHostname = (random: Random): string => `n${random(2 ** 32)}.example.com`;

/** What leads somewhere in a path, by the parameter's name. */
const inPaths: Readonly<Record<string, string>> = { project: 'shop', hostname: redirecting };

/** What leads somewhere in a body or a form, by the field's name. */
const inBodies: Readonly<Record<string, (random: Random) => string>> = {
  hostname: newHostname,
  from: newHostname,
  others: newHostname,
  to: () => primary,
  role: () => 'redirect',
  project: () => 'shop',
  name: (random) => `n${random(1_000)}`,
  subdomain: (random) => `s${random(1_000)}`,
  labels: (random) => `l${random(1_000)}`,
  expiresAt: () => '2999-01-01T00:00:00Z',
};

function stringOf({ random, isFit, known }: Source, name: string, schema: Schema): string {
  const { maxLength = 40, enum: values } = schema;
  const given = known[name];
  if (given !== undefined && isFit) return given;
  const fit = inBodies[name];
  if (fit && (isFit || random(2) === 0)) return fit(random);
  if (Array.isArray(values)) return pick(random, values as string[]);
  return textOf(random, Number(maxLength) + (isFit ? 0 : random(2)));
}

type Make = (one: Schema, field: string) => unknown;

function objectOf(
  source: Source,
  { properties = {}, maxProperties, additionalProperties }: Schema,
  make: Make,
): unknown {
  const { random, isFit } = source;
  if (typeof additionalProperties === 'object')
    return mapOf(source, Number(maxProperties), () => make(additionalProperties as Schema, 'labels'));
  const fields = Object.entries(properties as Record<string, Schema>).filter(() => isFit || random(8) > 0);
  return Object.fromEntries(fields.map(([field, one]) => [field, make(one, field)]));
}

/** As many names as there may be, and a quarter of them where they are fit, as a body with a thousand of such maps has to fit too. They are as long as they may be where they need not be fit. */
function mapOf({ random, isFit }: Source, most: number, make: () => unknown): unknown {
  const names = Array.from({ length: isFit ? most / 4 : most + random(2) }, (_, at) =>
    isFit || random(2) === 0 ? `n${at}` : textOf(random, 63),
  );
  return Object.fromEntries(names.map((name) => [name, make()]));
}

function numberOf({ random }: Source, { minimum = 0, maximum = 70_000, enum: values }: Schema): number {
  if (Array.isArray(values)) return pick(random, values as number[]);
  return Number(minimum) + random(Number(maximum) - Number(minimum));
}

type MakeNext = (source: Source, schema: Schema, name: string, make: Make) => unknown;

function listOf({ random, isFit }: Source, { maxItems = 20, items }: Schema, name: string, make: Make): unknown {
  const length = Number(maxItems) + (isFit ? 0 : random(2));
  return Array.from({ length }, () => make(items as Schema, name));
}

const byType: Readonly<Record<string, MakeNext>> = {
  object: (source, schema, _, make) => objectOf(source, schema, make),
  array: listOf,
  string: (source, schema, name) => stringOf(source, name, schema),
  integer: numberOf,
  number: numberOf,
};

const flagOf = ({ random, isFit }: Source): unknown =>
  isFit ? random(2) === 0 : pick<unknown>(random, [null, true, random(70_000)]);

/** What names something that is there, by the schema: only of that anything is done. */
const ofWhatIsThere: Readonly<Record<string, (random: Random) => object>> = {
  BulkDomainName: (random) => ({ project: 'shop', hostname: anyHostname(random) }),
};

/** Of the component that a schema refers to; '' where it is one itself. */
const nameOf = ({ $ref }: Schema): string => (typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : '');

const componentOf = ({ components }: Document, name: string): Schema | undefined => components.schemas[name];

/** The primary of the project is there already, and nothing is prepared where there is no challenge zone. */
const fixedWhereFit: Readonly<Record<string, unknown>> = { primary: null, prepare: false };

/** A value of a schema; `name` is that of the field that it is for. */
export function valueOf(document: Document, source: Source, name: string, given: Schema): unknown {
  const { random, isFit } = source;
  const referred = nameOf(given);
  if (isFit && referred in ofWhatIsThere) return ofWhatIsThere[referred]?.(random);
  const schema = componentOf(document, referred) ?? given;
  const make: Make = (one, field) => valueOf(document, source, field, one);
  const several = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  if (isFit && Object.hasOwn(fixedWhereFit, name)) return fixedWhereFit[name];
  if (several) return make(isFit ? (several[0] as Schema) : pick(random, several), name);
  if ('const' in schema) return schema.const;
  const next = byType[String(schema.type)];
  return next ? next(source, schema, name, make) : flagOf(source);
}

/** A path with parameters that lead somewhere, or are as long as they may be. */
export const pathOf = ({ random, isFit, known }: Source, { path }: Pick<ApiCall, 'path'>): string =>
  path.replaceAll(/\{(\w+)\}|:(\w+)/g, (_, one: string | undefined, other: string | undefined) => {
    const name = one ?? other ?? '';
    const good = known[name] ?? inPaths[name];
    return encodeURIComponent(good !== undefined && (isFit || random(8) > 0) ? good : textOf(random, 253));
  });

const fields = ['hostname', 'to', 'status', 'role', 'pair', 'name', 'expiresAt', 'days', 'scopes', 'act'];

const fitForm = (random: Random): readonly string[] => [
  `to=${primary}`,
  'status=301',
  'role=redirect',
  'pair=yes',
  `name=n${random(1_000)}`,
  'expiresAt=2999-01-01',
  'days=7',
  'scopes=domains:read',
  `act=${pick(random, ['verify', 'remove'])}`,
  `q=${'a'.repeat(200)}`,
];

/** So many hostnames are chosen in the list; a form that adds one has one. */
export const hostnamesOf = (random: Random, chosen: number): readonly string[] =>
  chosen > 0
    ? Array.from({ length: chosen }, () => `hostname=${anyHostname(random)}`)
    : [`hostname=${newHostname(random)}`];

/** What a form of the dashboard sends, without its token. */
export const formOf = ({ random, isFit }: Source, chosen: number): readonly string[] =>
  isFit
    ? [...hostnamesOf(random, chosen), ...fitForm(random)]
    : fields.map((name) => `${name}=${encodeURIComponent(textOf(random, 100 + random(1_900)))}`);
