import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartFolder, chartValues, leastValues } from '../../../dev/platform/chart.ts';

export type Values = Readonly<Record<string, unknown>>;

interface Schema {
  readonly description?: string;
  /** a former value, which the templates refuse with what takes its place */
  readonly deprecated?: boolean;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
  readonly type?: unknown;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** A value of the chart: one that the schema names no parts of, except those of a shape it shares with others. */
export interface Leaf {
  readonly path: string;
  readonly description: string;
}

export const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as Schema;

/** Read by no template: Helm hands it to every part of an umbrella chart. */
const notOurs = 'global';

/** Every value that the schema knows. */
export function leavesOf(node: Schema, path = ''): readonly Leaf[] {
  if (node.properties === undefined) return [{ path, description: node.description ?? '' }];
  return Object.entries(node.properties)
    .filter(([name, { deprecated = false }]) => !deprecated && (path !== '' || name !== notOurs))
    .flatMap(([name, part]) => leavesOf(part, path === '' ? name : `${path}.${name}`));
}

export const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands in values at a path; undefined where nothing does. */
export const valueAt = (values: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (isMap(part) ? part[name] : undefined), values);

/** Values that say one thing alone. */
export const only = (path: string, value: unknown): Values =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Values;

/** As helm merges: maps part by part, everything else as a whole. */
export function merged(...all: readonly Values[]): Values {
  return all.reduce((before, after) => ({
    ...before,
    ...Object.fromEntries(
      Object.entries(after).map(([name, value]) => {
        const old = before[name];
        return [name, isMap(old) && isMap(value) ? merged(old, value) : value];
      }),
    ),
  }));
}

export const defaults = chartValues() as unknown as Values;

/** The least that has to be said, with a Redis of the platform's own: nothing in it is drawn by chance. */
export const base: Values = merged(leastValues, { redis: { included: false, url: 'redis://redis.data:6379' } });
