import { address, nullable, text, whole } from '../lib/config-checks.ts';
import type { Fields } from '../lib/config-file.ts';
import { readConfigFile } from '../lib/config-file.ts';

/** The redirector's configuration file: JSON, every field below and no other. Listen addresses are `ADDR:PORT`, `[ADDR6]:PORT` or `:PORT`. */
export interface RedirectorConfig {
  /** path; null for the Pod's own identity */
  readonly kubeconfig: string | null;
  readonly listen: string;
  readonly metricsAddress: string;
  readonly systemNamespace: string;
  /** how long requests are still answered after the signal to stop, however soon endpoints have moved; milliseconds */
  readonly lingerMs: number;
  /** how long it then waits until no account namespace leads here any more; milliseconds */
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

/** Reads and checks the file. Throws ConfigError with all that is wrong at once. */
export const readRedirectorConfig = (path: string): RedirectorConfig => readConfigFile(path, fields);
