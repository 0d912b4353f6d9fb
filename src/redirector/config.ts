import type { RecordOf } from '../lib/config-checks.ts';
import { address, nullable, text, whole } from '../lib/config-checks.ts';
import { readConfigFile } from '../lib/config-file.ts';

/**
 * The redirector's configuration file: JSON with exactly the fields below. Listen addresses are `ADDR:PORT`,
 * `[ADDR6]:PORT` or `:PORT`.
 */
const fields = {
  /** path; null for the Pod's own ServiceAccount */
  kubeconfig: nullable(text),
  listen: address,
  metricsAddress: address,
  systemNamespace: text,
  /** how long requests are still answered after the signal to stop, even when endpoints move sooner; milliseconds */
  lingerMs: whole,
  /** how long at most it then waits until no account namespace routes here any more; milliseconds */
  lingerAtMostMs: whole,
};

export type RedirectorConfig = RecordOf<typeof fields>;

/** Reads and checks the file. Throws a ConfigError that lists all problems at once. */
export const readRedirectorConfig = (path: string): RedirectorConfig => readConfigFile(path, fields);
