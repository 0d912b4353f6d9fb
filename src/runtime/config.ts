import { readFileSync } from 'node:fs';

/** The operator's configuration file: JSON, every field below and no other. Addresses are `ADDR:PORT`. */
export interface OperatorConfig {
  /** path; null for the Pod's own identity */
  readonly kubeconfig: string | null;
  readonly platformDomain: string;
  readonly cnameDomain: string;
  readonly platformAddresses: readonly string[];
  /** where delegation walks begin; empty for the Internet's root servers */
  readonly roots: readonly string[];
  readonly resolvers: readonly string[];
  /** CIDR ranges that may be asked although they are not public */
  readonly permittedRanges: readonly string[];
  readonly issuer: { readonly kind: string; readonly name: string };
  /** CAA issuer domains of the certificate authority */
  readonly caDomains: readonly string[];
  readonly ingressClass: string;
  readonly platformTls: 'PerHost' | 'Default';
  /** how the ingress is reached to see whether a hostname answers; caFile is null for the system's roots */
  readonly probe: { readonly address: string; readonly port: number; readonly caFile: string | null };
  readonly systemNamespace: string;
  readonly metricsAddress: string;
}

/** The configuration cannot be used; the message names every field that is wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string' && value !== '';
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const record =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' && value !== null && problems(value as Record<string, unknown>, fields).length === 0;

const fields: Readonly<Record<keyof OperatorConfig, Check>> = {
  kubeconfig: nullable(text),
  platformDomain: text,
  cnameDomain: text,
  platformAddresses: texts,
  roots: texts,
  resolvers: texts,
  permittedRanges: texts,
  issuer: record({ kind: text, name: text }),
  caDomains: (value) => texts(value) && (value as string[]).length > 0,
  ingressClass: text,
  platformTls: (value) => value === 'PerHost' || value === 'Default',
  probe: record({ address: text, port: (value) => Number.isInteger(value), caFile: nullable(text) }),
  systemNamespace: text,
  metricsAddress: (value) => text(value) && /:\d+$/.test(value as string),
};

function problems(given: Readonly<Record<string, unknown>>, known: Readonly<Record<string, Check>>): readonly string[] {
  const wrong = Object.entries(known).flatMap(([name, check]) => {
    if (!(name in given)) return [`${name} is missing`];
    return check(given[name]) ? [] : [`${name} is not valid`];
  });
  const unknown = Object.keys(given).filter((name) => !(name in known));
  return [...wrong, ...unknown.map((name) => `${name} is not a setting`)];
}

/** Reads and checks the file. Throws ConfigError with all that is wrong at once. */
export function readConfig(path: string): OperatorConfig {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  if (typeof given !== 'object' || given === null) throw new ConfigError(`${path}: not a JSON object`);
  const wrong = problems(given as Record<string, unknown>, fields);
  if (wrong.length > 0) throw new ConfigError(`${path}: ${wrong.join('; ')}`);
  return Object.freeze(given as OperatorConfig);
}
