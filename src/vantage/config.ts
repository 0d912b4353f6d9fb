import type { RecordOf } from '../lib/config-checks.ts';
import { address, nullable, positive, record, text, texts, whole } from '../lib/config-checks.ts';
import { readConfigFile } from '../lib/config-file.ts';

/**
 * The vantage point's configuration file: JSON with exactly the fields below. Listen addresses are `ADDR:PORT`,
 * `[ADDR6]:PORT` or `:PORT`.
 */
const fields = {
  listen: address,
  metricsAddress: address,
  /** file with the callers' tokens, one a line; read again when it changes */
  tokenFile: text,
  /** PEM files, read again when they change; null only behind something that terminates TLS */
  tls: nullable(record({ certFile: text, keyFile: text })),
  /** where delegation walks start; empty for the Internet's root servers */
  roots: texts,
  resolvers: texts,
  /** CIDR ranges whose name servers may be queried although they are not public */
  permittedRanges: texts,
  /** checks at a time */
  concurrentChecks: positive,
  /** how long requests are still answered after the signal to stop; milliseconds */
  lingerMs: whole,
};

export type VantageConfig = RecordOf<typeof fields>;

/** Reads and checks the file. Throws a ConfigError that lists all problems at once. */
export const readVantageConfig = (path: string): VantageConfig => readConfigFile(path, fields);
