import { isIP } from 'node:net';
import { listenAddressForm, parseListenAddress } from './http-server.ts';

/** What is wrong with one value of a configuration. Values are not quoted: a URL may contain a password. */
export interface ConfigProblem {
  /** such as `redis.sentinels[0]` */
  readonly path: string;
  readonly what: 'missing' | 'invalid' | 'unknown';
  /** what a valid value is; '' for an unknown setting */
  readonly expected: string;
}

/** Finds all problems of a value and of the values inside it. */
export interface Check<T = unknown> {
  (value: unknown, path: string): readonly ConfigProblem[];
  /** never set; only carries the type of what passes */
  readonly passes?: T;
}

/** The type of what passes a check. */
export type Checked<C> = C extends Check<infer T> ? T : never;

/** A value for which the predicate holds; `expected` says so in words. */
export const expecting =
  <T>(expected: string, isRight: (value: unknown) => boolean): Check<T> =>
  (value, path) =>
    isRight(value) ? [] : [{ path, what: value === undefined ? 'missing' : 'invalid', expected }];

/** A non-empty string. */
export const text = expecting<string>('a non-empty string', (value) => typeof value === 'string' && value !== '');
export const flag = expecting<boolean>('true or false', (value) => typeof value === 'boolean');

/** A DNS label in lower case (RFC 1035, section 2.3.1), of at most twenty characters: it becomes a part of names. */
export const label = expecting<string>(
  'a DNS label of at most 20 characters',
  (value) => typeof value === 'string' && /^[a-z](?:[a-z0-9-]{0,18}[a-z0-9])?$/.test(value),
);

/** An integer in a range, both ends included. */
export const wholeBetween = (least: number, most: number): Check<number> =>
  expecting(
    `a whole number ${most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  );
export const whole = wholeBetween(0, Infinity);
export const positive = wholeBetween(1, Infinity);

export const oneOf = <const V extends string>(...values: readonly V[]): Check<V> =>
  expecting(values.join(' or '), (value) => values.some((one) => one === value));

/** A listen address: ADDR:PORT, [ADDR6]:PORT or :PORT. */
export const address = expecting<string>(
  listenAddressForm,
  (value) => typeof value === 'string' && parseListenAddress(value) !== null,
);

/** A CIDR range of either IP family that is not the whole Internet. */
export const range = expecting<string>(
  'a CIDR range such as 10.0.0.0/8 or 2001:db8::/32, and not the whole Internet',
  (value) => {
    const [ip = '', prefix = '', ...rest] = typeof value === 'string' ? value.split('/') : [];
    const bits = isIP(ip) === 4 ? 32 : 128;
    return (
      isIP(ip) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= bits
    );
  },
);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const anObject = expecting<never>('an object', isObject);

/** A list of at least `least` items, each of which passes. */
export const list =
  <T>(item: Check<T>, least = 0): Check<readonly T[]> =>
  (value, path) =>
    Array.isArray(value) && value.length >= least
      ? value.flatMap((one, index) => item(one, `${path}[${index}]`))
      : expecting(least > 0 ? 'a non-empty list' : 'a list', () => false)(value, path);
export const texts = list(text);

export const nullable =
  <T>(check: Check<T>): Check<T | null> =>
  (value, path) =>
    value === null
      ? []
      : check(value, path).map((problem) =>
          problem.path === path ? { ...problem, expected: `${problem.expected}, or null` } : problem,
        );

/** The value may be absent. */
export const optional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value, path) =>
    value === undefined ? [] : check(value, path);

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The check for every field of an object. */
export type Fields = Readonly<Record<string, Check>>;

type OptionalNames<F extends Fields> = { [K in keyof F]: undefined extends Checked<F[K]> ? K : never }[keyof F];

/** Objects whose fields pass. */
export type RecordOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalNames<F>>]: Checked<F[K]>;
} & { readonly [K in OptionalNames<F>]?: Exclude<Checked<F[K]>, undefined> };

/** An object with these fields and no others. */
export const record =
  <F extends Fields>(fields: F): Check<RecordOf<F>> =>
  (value, path) => {
    if (!isObject(value)) return anObject(value, path);
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
    return [
      ...Object.entries(fields).flatMap(([name, check]) => check(value[name], below(path, name))),
      ...unknown.map((name) => ({ path: below(path, name), what: 'unknown' as const, expected: '' })),
    ];
  };

/** An object whose `kind` says which other fields it has, and no others. */
export const byKind =
  <K extends Readonly<Record<string, Fields>>>(
    kinds: K,
  ): Check<{ [N in keyof K]: { readonly kind: N } & RecordOf<K[N]> }[keyof K]> =>
  (value, path) => {
    if (!isObject(value)) return anObject(value, path);
    const kind = oneOf(...Object.keys(kinds));
    const known = typeof value.kind === 'string' && Object.hasOwn(kinds, value.kind) ? kinds[value.kind] : undefined;
    return known ? record({ kind, ...known })(value, path) : kind(value.kind, below(path, 'kind'));
  };

/** An object with any field names, each with a value that passes. */
export const recordOf =
  <T>(check: Check<T>): Check<Readonly<Record<string, T>>> =>
  (value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, one]) => check(one, below(path, name)))
      : anObject(value, path);
