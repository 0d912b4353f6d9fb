import type { Check } from '../lib/config-checks.ts';
import {
  address,
  expecting,
  flag,
  list,
  nullable,
  oneOf,
  positive,
  range,
  record,
  recordOf,
  text,
  texts,
  whole,
  wholeBetween,
} from '../lib/config-checks.ts';
import type { Fields } from '../lib/config-file.ts';
import { readConfigFile } from '../lib/config-file.ts';
import type { AuthorizedApi } from '../server/authorize.ts';
import type { ForwardedHeader } from '../server/forwarded-hops.ts';
import { forwardedHeaders } from '../server/forwarded-hops.ts';
import type { Brand } from '../dashboard/view-context.ts';
import { brand } from './brand-checks.ts';

/**
 * The API server's configuration file: JSON with exactly the fields below. Listen addresses are `ADDR:PORT`,
 * `[ADDR6]:PORT` or `:PORT`.
 */
export interface ApiConfig {
  /** path; null for the Pod's own ServiceAccount */
  readonly kubeconfig: string | null;
  readonly platformDomain: string;
  readonly cnameDomain: string;
  readonly platformAddresses: readonly string[];
  /** where lookups before Add start; empty for the Internet's root servers */
  readonly roots: readonly string[];
  readonly resolvers: readonly string[];
  /** as the operator's */
  readonly cdnRanges: readonly string[];
  /** CIDR ranges whose name servers may be queried although they are not public */
  readonly permittedRanges: readonly string[];
  readonly issuer: { readonly kind: 'ClusterIssuer' | 'AcmeIssuer'; readonly name: string };
  /** CAA issuer domains of the certificate authority */
  readonly caDomains: readonly string[];
  /** where hostnames are prepared before they are switched; null where they cannot be; must be the same as the operator's */
  readonly challengeZone: { readonly zone: string } | null;
  /** wildcards are served */
  readonly wildcards: boolean;
  /** require the ownership TXT even when the exact target is visible; this and all above must be as the operator's */
  readonly requireTxt: boolean;
  /** file with the HMAC key; waited for, as the operator creates the key at its first start */
  readonly hmacFile: string;
  /** the URL names the ACL user, if any; passwords and CA come from files, such as mounted Secrets */
  readonly redis: {
    readonly url: string;
    readonly passwordFile: string | null;
    readonly caFile: string | null;
    /** `host:port` of each Sentinel; empty when the URL is the primary's */
    readonly sentinels: readonly string[];
    /** the primary's name in the Sentinels' configuration; null without Sentinels */
    readonly name: string | null;
    readonly sentinelPasswordFile: string | null;
    /** `host:port` of some nodes of a Redis Cluster; empty for one Redis or Sentinels */
    readonly cluster: readonly string[];
  };
  /** how many API servers share the limits while Redis is unavailable */
  readonly replicas: number;
  /** how many served domains the operator looks up in a second; the same as its own */
  readonly looksPerSecond: number;
  readonly listen: string;
  readonly metricsAddress: string;
  /** where proxies in front of the platform's other APIs ask, and which these are by name; null where they do not */
  readonly authorize: { readonly listen: string; readonly apis: Readonly<Record<string, AuthorizedApi>> } | null;
  /** CIDR ranges whose forwarding header is trusted */
  readonly trustedProxies: readonly string[];
  /** the one that those proxies write or append to; the other one is never read */
  readonly forwardedHeader: ForwardedHeader;
  /** the origin at which browsers have the dashboard, such as `https://domains.example.com`; null for that of the Host header */
  readonly publicUrl: string | null;
  /** how the dashboard presents itself to customers */
  readonly dashboard: Brand;
  /** how long new connections are still accepted after the signal to stop; milliseconds */
  readonly lingerMs: number;
}

const httpsOrigin = expecting(
  'https://HOST or https://HOST:PORT, without a path',
  (value) => typeof value === 'string' && /^https:\/\/[^/?#@]+$/.test(value) && URL.canParse(value),
);

/** A name is part of a path. */
const namedApis: Check = (value, path) => [
  ...recordOf(record({ cost: wholeBetween(1, 1_000) }))(value, path),
  ...Object.keys(Object(value) as object)
    .filter((name) => !/^[a-z0-9-]{1,63}$/.test(name))
    .flatMap((name) => expecting('a name of a-z, 0-9 and -', () => false)(name, `${path}.${name}`)),
];

const fields: Fields<ApiConfig> = {
  kubeconfig: nullable(text),
  platformDomain: text,
  cnameDomain: text,
  platformAddresses: texts,
  roots: texts,
  resolvers: texts,
  cdnRanges: list(range),
  permittedRanges: texts,
  issuer: record({ kind: oneOf('ClusterIssuer', 'AcmeIssuer'), name: text }),
  caDomains: list(text, 1),
  challengeZone: nullable(record({ zone: text })),
  wildcards: flag,
  requireTxt: flag,
  hmacFile: text,
  redis: record({
    url: text,
    passwordFile: nullable(text),
    caFile: nullable(text),
    sentinels: list(address),
    name: nullable(text),
    sentinelPasswordFile: nullable(text),
    cluster: list(address),
  }),
  looksPerSecond: wholeBetween(1, 10_000),
  replicas: positive,
  listen: address,
  metricsAddress: address,
  authorize: nullable(record({ listen: address, apis: namedApis })),
  trustedProxies: list(range),
  forwardedHeader: oneOf(...forwardedHeaders),
  publicUrl: nullable(httpsOrigin),
  dashboard: brand,
  lingerMs: whole,
};

/** Reads and checks the file. Throws a ConfigError that lists all problems at once. */
export const readApiConfig = (path: string): ApiConfig => readConfigFile(path, fields);
