import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { listenAddressForm, parseListenAddress } from './listen-address.ts';

/** The configuration cannot be used; the message names every field that is wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Check = (value: unknown) => boolean;
/** Every field of a configuration with what makes it valid; there are no others. */
export type Fields<T> = Readonly<Record<keyof T, Check>>;

export const text: Check = (value) => typeof value === 'string' && value !== '';
export const texts: Check = (value) => Array.isArray(value) && value.every(text);
export const whole: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
export const flag: Check = (value) => typeof value === 'boolean';
/** A check that says what would be right where it fails. */
const expecting = (wanted: string, check: Check): Check => Object.assign((value: unknown) => check(value), { wanted });
/** Where to listen: ADDR:PORT, [ADDR6]:PORT or :PORT. */
export const address: Check = expecting(
  listenAddressForm,
  (value) => text(value) && parseListenAddress(value as string) !== null,
);
/** A CIDR range of either family that is not the whole Internet. */
export const range: Check = (value) => {
  const [ip = '', prefix = '', ...rest] = typeof value === 'string' ? value.split('/') : [];
  const bits = isIP(ip) === 4 ? 32 : 128;
  return (
    isIP(ip) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= bits
  );
};
export const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
/** May be left out. */
export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
export const record =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' && value !== null && problems(value as Record<string, unknown>, fields).length === 0;
/** Any names, each with a value that passes. */
export const recordOf =
  (check: Check): Check =>
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(check);

function problems(given: Readonly<Record<string, unknown>>, known: Readonly<Record<string, Check>>): readonly string[] {
  const wrong = Object.entries(known).flatMap(([name, check]) => {
    if (!(name in given) && !check(undefined)) return [`${name} is missing`];
    const wanted = 'wanted' in check ? `: it is to be ${String(check.wanted)}` : '';
    return check(given[name]) ? [] : [`${name} is not valid${wanted}`];
  });
  const unknown = Object.keys(given).filter((name) => !(name in known));
  return [...wrong, ...unknown.map((name) => `${name} is not a setting`)];
}

/** Reads and checks a JSON file. Throws ConfigError with all that is wrong at once. */
export function readConfigFile<T>(path: string, fields: Fields<T>): T {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  if (typeof given !== 'object' || given === null) throw new ConfigError(`${path}: not a JSON object`);
  const wrong = problems(given as Record<string, unknown>, fields);
  if (wrong.length > 0) throw new ConfigError(`${path}: ${wrong.join('; ')}`);
  return Object.freeze(given as T);
}
