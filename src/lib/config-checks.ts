import { isIP } from 'node:net';
import { listenAddressForm, parseListenAddress } from './http-server.ts';

/** What is wrong with one value of a configuration. Values are not quoted: a URL may hold a password. */
export interface ConfigProblem {
  /** `redis.sentinels[0]` */
  readonly path: string;
  readonly what: 'missing' | 'invalid' | 'unknown';
  /** what would be right; '' where nothing would be */
  readonly expected: string;
}

/** Finds all that is wrong with a value and what is inside of it. */
export type Check = (value: unknown, path: string) => readonly ConfigProblem[];

const expecting =
  (expected: string, isRight: (value: unknown) => boolean): Check =>
  (value, path) =>
    isRight(value) ? [] : [{ path, what: value === undefined ? 'missing' : 'invalid', expected }];

/** A text that is not empty. */
export const text = expecting('a text', (value) => typeof value === 'string' && value !== '');
export const flag = expecting('true or false', (value) => typeof value === 'boolean');

/** A whole number between two, both included. */
export const wholeBetween = (least: number, most: number): Check =>
  expecting(
    `a whole number ${most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  );
export const whole = wholeBetween(0, Infinity);
export const positive = wholeBetween(1, Infinity);

export const oneOf = (...values: readonly string[]): Check =>
  expecting(values.join(' or '), (value) => values.some((one) => one === value));

/** Where to listen: ADDR:PORT, [ADDR6]:PORT or :PORT. */
export const address = expecting(
  listenAddressForm,
  (value) => typeof value === 'string' && parseListenAddress(value) !== null,
);

/** A CIDR range of either family that is not the whole Internet. */
export const range = expecting(
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
const anObject = expecting('an object', isObject);

/** A list whose items pass. */
export const list =
  (item: Check, least = 0): Check =>
  (value, path) =>
    Array.isArray(value) && value.length >= least
      ? value.flatMap((one, index) => item(one, `${path}[${index}]`))
      : expecting(least > 0 ? 'a list that is not empty' : 'a list', () => false)(value, path);
export const texts = list(text);

export const nullable =
  (check: Check): Check =>
  (value, path) =>
    value === null
      ? []
      : check(value, path).map((problem) =>
          problem.path === path ? { ...problem, expected: `${problem.expected}, or null` } : problem,
        );

/** May be left out. */
export const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? [] : check(value, path);

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** An object of these fields and no other. */
export const record =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    if (!isObject(value)) return anObject(value, path);
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
    return [
      ...Object.entries(fields).flatMap(([name, check]) => check(value[name], below(path, name))),
      ...unknown.map((name) => ({ path: below(path, name), what: 'unknown' as const, expected: '' })),
    ];
  };

/** Any names, each with a value that passes. */
export const recordOf =
  (check: Check): Check =>
  (value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, one]) => check(one, below(path, name)))
      : anObject(value, path);
