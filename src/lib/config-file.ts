import { readFileSync } from 'node:fs';
import type { Check, ConfigProblem } from './config-checks.ts';
import { record } from './config-checks.ts';
import { messageOf } from './error-serializer.ts';

/** The configuration is invalid; the message names every invalid field and what it expects. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The check for every field of a configuration; other fields are rejected. */
export type Fields<T> = Readonly<Record<keyof T, Check>>;

const sentences = {
  missing: ({ path, expected }: ConfigProblem) => `${path} is missing: expected ${expected}`,
  invalid: ({ path, expected }: ConfigProblem) => `${path} is not valid: expected ${expected}`,
  unknown: ({ path }: ConfigProblem) => `${path} is not a setting`,
};

/** Reads and checks a JSON file. Throws a ConfigError that lists all problems at once. */
export function readConfigFile<T>(path: string, fields: Fields<T>): T {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${path}: ${messageOf(error)}`, { cause: error });
  }
  return parseConfig(text, path, fields);
}

/** Checks JSON from elsewhere; `path` is what its problems are told of. Throws as readConfigFile does. */
export function parseConfig<T>(text: string, path: string, fields: Fields<T>): T {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`${path}: ${messageOf(error)}`, { cause: error });
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ConfigError(`${path}: not a JSON object`);
  const problems = record(fields)(given, '');
  if (problems.length > 0)
    throw new ConfigError(`${path}: ${problems.map((problem) => sentences[problem.what](problem)).join('; ')}`);
  return Object.freeze(given as T);
}
