import type { Check, RecordOf } from '../lib/config-checks.ts';
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
import { readConfigFile } from '../lib/config-file.ts';
import type { AuthorizedApi } from '../server/authorize.ts';
import { forwardedHeaders } from '../server/forwarded-hops.ts';
import { brand } from './brand-checks.ts';

const httpsOrigin = expecting<string>(
  'https://HOST or https://HOST:PORT, without a path',
  (value) => typeof value === 'string' && /^https:\/\/[^/?#@]+$/.test(value) && URL.canParse(value),
);

/** A name is part of a path. */
const namedApis: Check<Readonly<Record<string, AuthorizedApi>>> = (value, path) => [
  ...recordOf(record({ cost: wholeBetween(1, 1_000) }))(value, path),
  ...Object.keys(Object(value) as object)
    .filter((name) => !/^[a-z0-9-]{1,63}$/.test(name))
    .flatMap((name) => expecting('a name of a-z, 0-9 and -', () => false)(name, `${path}.${name}`)),
];

/**
 * The API server's configuration file: JSON with exactly the fields below. Listen addresses are `ADDR:PORT`,
 * `[ADDR6]:PORT` or `:PORT`.
 */
const fields = {
  /** path; null for the Pod's own ServiceAccount */
  kubeconfig: nullable(text),
  platformDomain: text,
  cnameDomain: text,
  platformAddresses: texts,
  /** where lookups before Add start; empty for the Internet's root servers */
  roots: texts,
  resolvers: texts,
  /** as the operator's */
  cdnRanges: list(range),
  /** CIDR ranges whose name servers may be queried although they are not public */
  permittedRanges: texts,
  issuer: record({ kind: oneOf('ClusterIssuer', 'AcmeIssuer'), name: text }),
  /** CAA issuer domains of the certificate authority */
  caDomains: list(text, 1),
  /** where hostnames are prepared before they are switched; null where they cannot be; must be the same as the operator's */
  challengeZone: nullable(record({ zone: text })),
  /** wildcards are served */
  wildcards: flag,
  /** require the ownership TXT even when the exact target is visible; this and all above must be as the operator's */
  requireTxt: flag,
  /** file with the HMAC key; waited for, as the operator creates the key at its first start */
  hmacFile: text,
  /** the URL names the ACL user, if any; passwords and CA come from files, such as mounted Secrets */
  redis: record({
    url: text,
    passwordFile: nullable(text),
    caFile: nullable(text),
    /** empty when the URL is the primary's */
    sentinels: list(address),
    /** the primary's name in the Sentinels' configuration; null without Sentinels */
    name: nullable(text),
    sentinelPasswordFile: nullable(text),
    /** some nodes of a Redis Cluster; empty for one Redis or Sentinels */
    cluster: list(address),
  }),
  /** how many served domains the operator looks up in a second; the same as its own */
  looksPerSecond: wholeBetween(1, 10_000),
  /** how many API servers share the limits while Redis is unavailable */
  replicas: positive,
  listen: address,
  metricsAddress: address,
  /** where proxies in front of the platform's other APIs ask, and which these are by name; null where they do not */
  authorize: nullable(record({ listen: address, apis: namedApis })),
  /** CIDR ranges whose forwarding header is trusted */
  trustedProxies: list(range),
  /** the one that those proxies write or append to; the other one is never read */
  forwardedHeader: oneOf(...forwardedHeaders),
  /** the origin at which browsers have the dashboard, such as `https://domains.example.com`; null for that of the Host header */
  publicUrl: nullable(httpsOrigin),
  /** how the dashboard presents itself to customers */
  dashboard: brand,
  /** how long new connections are still accepted after the signal to stop; milliseconds */
  lingerMs: whole,
};

export type ApiConfig = RecordOf<typeof fields>;

/** Reads and checks the file. Throws a ConfigError that lists all problems at once. */
export const readApiConfig = (path: string): ApiConfig => readConfigFile(path, fields);
