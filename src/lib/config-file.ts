import { readFileSync } from 'node:fs';
import type { ConfigProblem, Fields, RecordOf } from './config-checks.ts';
import { record } from './config-checks.ts';
import { messageOf } from './error-serializer.ts';

/** The configuration is invalid; the message names every invalid field and what it expects. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const sentences = {
  missing: ({ path, expected }: ConfigProblem) => `${path} is missing: expected ${expected}`,
  invalid: ({ path, expected }: ConfigProblem) => `${path} is not valid: expected ${expected}`,
  unknown: ({ path }: ConfigProblem) => `${path} is not a setting`,
};

/** Reads and checks a JSON file. Throws a ConfigError that lists all problems at once. */
export function readConfigFile<F extends Fields>(path: string, fields: F): RecordOf<F> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${path}: ${messageOf(error)}`, { cause: error });
  }
  return parseConfig(text, path, fields);
}

/** Checks JSON from elsewhere; `path` is what its problems are told of. Throws as readConfigFile does. */
export function parseConfig<F extends Fields>(text: string, path: string, fields: F): RecordOf<F> {
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
  Object.freeze(given);
  return given as RecordOf<F>;
}
