import { address, flag, list, nullable, positive, range, record, text, whole } from '../lib/config-checks.ts';
import type { Fields } from '../lib/config-file.ts';
import { readConfigFile } from '../lib/config-file.ts';

/** The API server's configuration file: JSON, every field below and no other. Listen addresses are `ADDR:PORT`, `[ADDR6]:PORT` or `:PORT`. */
export interface ApiConfig {
  /** path; null for the Pod's own identity */
  readonly kubeconfig: string | null;
  readonly platformDomain: string;
  readonly cnameDomain: string;
  /** demand the ownership TXT even where the exact target is visible; the same as the operator's */
  readonly requireTxt: boolean;
  /** file with the HMAC key, as the Secret is mounted; waited for, as the operator makes it at its first start */
  readonly hmacFile: string;
  /** the URL names the ACL user, if any; passwords and CA come from files, as Secrets are mounted */
  readonly redis: {
    readonly url: string;
    readonly passwordFile: string | null;
    readonly caFile: string | null;
    /** `host:port` of each Sentinel; empty where the URL leads to the primary */
    readonly sentinels: readonly string[];
    /** what the Sentinels call the primary; null without them */
    readonly name: string | null;
    readonly sentinelPasswordFile: string | null;
  };
  /** how many API servers share the limits while Redis is away */
  readonly replicas: number;
  readonly listen: string;
  readonly metricsAddress: string;
  /** CIDR ranges whose X-Forwarded-For is believed */
  readonly trustedProxies: readonly string[];
  /** how long new connections are still taken after the signal to stop; milliseconds */
  readonly lingerMs: number;
}

const fields: Fields<ApiConfig> = {
  kubeconfig: nullable(text),
  platformDomain: text,
  cnameDomain: text,
  requireTxt: flag,
  hmacFile: text,
  redis: record({
    url: text,
    passwordFile: nullable(text),
    caFile: nullable(text),
    sentinels: list(address),
    name: nullable(text),
    sentinelPasswordFile: nullable(text),
  }),
  replicas: positive,
  listen: address,
  metricsAddress: address,
  trustedProxies: list(range),
  lingerMs: whole,
};

/** Reads and checks the file. Throws ConfigError with all that is wrong at once. */
export const readApiConfig = (path: string): ApiConfig => readConfigFile(path, fields);
