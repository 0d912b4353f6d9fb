import { address, nullable, text, whole } from '../lib/config-checks.ts';
import type { Fields } from '../lib/config-file.ts';
import { readConfigFile } from '../lib/config-file.ts';

/**
 * The redirector's configuration file: JSON with exactly the fields below. Listen addresses are `ADDR:PORT`,
 * `[ADDR6]:PORT` or `:PORT`.
 */
export interface RedirectorConfig {
  /** path; null for the Pod's own ServiceAccount */
  readonly kubeconfig: string | null;
  readonly listen: string;
  readonly metricsAddress: string;
  readonly systemNamespace: string;
  /** how long requests are still answered after the signal to stop, even when endpoints move sooner; milliseconds */
  readonly lingerMs: number;
  /** how long at most it then waits until no account namespace routes here any more; milliseconds */
  readonly lingerAtMostMs: number;
}

const fields: Fields<RedirectorConfig> = {
  kubeconfig: nullable(text),
  listen: address,
  metricsAddress: address,
  systemNamespace: text,
  lingerMs: whole,
  lingerAtMostMs: whole,
};

/** Reads and checks the file. Throws a ConfigError that lists all problems at once. */
export const readRedirectorConfig = (path: string): RedirectorConfig => readConfigFile(path, fields);
