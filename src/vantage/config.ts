import { address, nullable, positive, record, text, texts, whole } from '../lib/config-checks.ts';
import type { Fields } from '../lib/config-file.ts';
import { readConfigFile } from '../lib/config-file.ts';

/**
 * The vantage point's configuration file: JSON with exactly the fields below. Listen addresses are `ADDR:PORT`,
 * `[ADDR6]:PORT` or `:PORT`.
 */
export interface VantageConfig {
  readonly listen: string;
  readonly metricsAddress: string;
  /** file with the callers' tokens, one a line; read again when it changes */
  readonly tokenFile: string;
  /** PEM files, read again when they change; null only behind something that terminates TLS */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** where delegation walks start; empty for the Internet's root servers */
  readonly roots: readonly string[];
  readonly resolvers: readonly string[];
  /** CIDR ranges whose name servers may be queried although they are not public */
  readonly permittedRanges: readonly string[];
  /** checks at a time */
  readonly concurrentChecks: number;
  /** how long requests are still answered after the signal to stop; milliseconds */
  readonly lingerMs: number;
}

const fields: Fields<VantageConfig> = {
  listen: address,
  metricsAddress: address,
  tokenFile: text,
  tls: nullable(record({ certFile: text, keyFile: text })),
  roots: texts,
  resolvers: texts,
  permittedRanges: texts,
  concurrentChecks: positive,
  lingerMs: whole,
};

/** Reads and checks the file. Throws a ConfigError that lists all problems at once. */
export const readVantageConfig = (path: string): VantageConfig => readConfigFile(path, fields);
