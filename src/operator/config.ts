import type { VantagePointConfig } from '../dns/vantage/vantage-point-config.ts';
import { vantagePointList } from '../dns/vantage/vantage-point-config.ts';
import type { RoutingSettings } from '../routing/create-routes.ts';
import type { TsigAlgorithm } from '../dns/update/tsig.ts';
import { tsigAlgorithms } from '../dns/update/tsig.ts';
import type { WorkerSettings } from '../controllers/controller.ts';
import type { PlanLimits } from '../rules/plan-limits.ts';
import { limitFields } from '../rules/plan-limits.ts';
import type { Check } from '../lib/config-checks.ts';
import {
  address,
  byKind,
  expecting,
  flag,
  label,
  list,
  nullable,
  oneOf,
  optional,
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
import { parseConfig, readConfigFile } from '../lib/config-file.ts';

/** At most `count` in any window of `seconds`. */
interface Limit {
  readonly count: number;
  readonly seconds: number;
}

interface OrderLimits {
  readonly orders: Limit;
  readonly registeredDomain: Limit;
  readonly exactSet: Limit;
  readonly failures: Limit;
  /** percent of `orders` */
  readonly renewalReserve: number;
  /** percent of `orders` */
  readonly platformPercent: number;
  /** weight of an account by the name of its plan */
  readonly shares: Readonly<Record<string, number>>;
}

/**
 * The operator's configuration file: JSON with exactly the fields below. Listen addresses are `ADDR:PORT`,
 * `[ADDR6]:PORT` or `:PORT`.
 */
export interface OperatorConfig {
  /** path; null for the Pod's own ServiceAccount */
  readonly kubeconfig: string | null;
  readonly platformDomain: string;
  readonly cnameDomain: string;
  readonly platformAddresses: readonly string[];
  /** where delegation walks start; empty for the Internet's root servers */
  readonly roots: readonly string[];
  readonly resolvers: readonly string[];
  /** CIDR ranges whose name servers may be queried although they are not public */
  readonly permittedRanges: readonly string[];
  /** other places that have to find the same in DNS; none by default (docs/concepts/dns-rules.md) */
  readonly vantagePoints: readonly VantagePointConfig[];
  /** CIDR ranges of CDNs beside the known ones (src/rules/cdn-ranges.ts) */
  readonly cdnRanges: readonly string[];
  readonly issuer: { readonly kind: 'ClusterIssuer' | 'AcmeIssuer'; readonly name: string };
  /** where hostnames are prepared before they are switched; null where they cannot be */
  readonly challengeZone: {
    readonly zone: string;
    /** ADDR or ADDR:PORT, as `servers` */
    readonly primary: string;
    readonly servers: readonly string[];
    /** the file has the key in base64 */
    readonly tsig: { readonly keyName: string; readonly algorithm: TsigAlgorithm; readonly secretFile: string };
  } | null;
  /** CAA issuer domains of the certificate authority */
  readonly caDomains: readonly string[];
  /** the authority's rate limits, and how they are shared (charts/projectdomain/values.yaml, issuer.limits) */
  readonly orderLimits: OrderLimits;
  /** what serves hostnames: ingress controllers, with null for what one is not told or does not serve, and Gateways */
  readonly routing: RoutingSettings;
  readonly platformTls: 'PerHost' | 'Default';
  /** root certificates that hostnames are probed with; null for the system's */
  readonly probe: { readonly caFile: string | null };
  readonly systemNamespace: string;
  /** require the ownership TXT even when the exact target is visible; must be the same as the API server's */
  readonly requireTxt: boolean;
  /** limits of the Plans that are created when missing, by name */
  readonly plans: Readonly<Record<string, PlanLimits>>;
  /**
   * the cert-manager whose setup is checked: may it approve our requests, does it tie Secrets to Certificates; or null
   */
  readonly certManager: {
    readonly namespace: string;
    readonly deployment: string;
    readonly serviceAccount: string;
  } | null;
  /** the API server in the same Pod, and the folder that both mount; null when it runs elsewhere */
  readonly sidecar: { readonly serviceAccount: string; readonly folder: string } | null;
  readonly workers: WorkerSettings;
  /** how many served domains may be looked up in DNS in a second; with more than it can bear, each is looked up less often */
  readonly looksPerSecond: number;
  readonly metricsAddress: string;
}

/** One object records the orders of a window; more would exceed etcd's size limit. */
const mostOrders = 3_000;
/** Each reconcile that runs holds a snapshot and, mostly, a DNS check in memory. */
const workers = wholeBetween(1, 512);
const percent = wholeBetween(0, 90);
const limit = record({ count: positive, seconds: positive });

const ofEveryClass = {
  class: label,
  probe: record({ address: text, port: whole, httpPort: whole }),
  isRetired: flag,
  addresses: texts,
};
const eachClass = list(
  byKind({
    Ingress: {
      ...ofEveryClass,
      className: text,
      wildcards: nullable(oneOf('Traefik')),
      websockets: nullable(oneOf('Contour')),
      httpsRedirect: nullable(oneOf('Contour', 'Traefik')),
    },
    Gateway: {
      ...ofEveryClass,
      namespace: text,
      name: text,
      listeners: oneOf('ListenerSet', 'Gateway', 'Contour'),
      wildcards: nullable(oneOf('EnvoyGateway')),
    },
  }),
  1,
);
const areClasses = expecting('classes with a name of their own each, of which one serves all hostnames', (value) => {
  const classes = value as RoutingSettings['classes'];
  const isUnlike = new Set(classes.map((one) => one.class)).size === classes.length;
  return isUnlike && classes.some(({ isRetired, addresses }) => !isRetired && addresses.length === 0);
});
const routingClasses: Check = (value, path) => {
  const problems = eachClass(value, path);
  return problems.length > 0 ? problems : areClasses(value, path);
};

const mapValues = <A, B>(fields: Readonly<Record<string, A>>, change: (field: A) => B): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]));
const checksOf = (fields: Readonly<Record<string, 'count' | 'switch'>>) =>
  mapValues(fields, (field) => (field === 'switch' ? flag : whole));

const fields: Fields<OperatorConfig> = {
  kubeconfig: nullable(text),
  platformDomain: text,
  cnameDomain: text,
  platformAddresses: texts,
  roots: texts,
  resolvers: texts,
  permittedRanges: texts,
  vantagePoints: vantagePointList,
  cdnRanges: list(range),
  issuer: record({ kind: oneOf('ClusterIssuer', 'AcmeIssuer'), name: text }),
  challengeZone: nullable(
    record({
      zone: text,
      primary: text,
      servers: list(text, 1),
      tsig: record({ keyName: text, algorithm: oneOf(...tsigAlgorithms), secretFile: text }),
    }),
  ),
  caDomains: list(text, 1),
  orderLimits: record({
    orders: record({ count: wholeBetween(1, mostOrders), seconds: positive }),
    registeredDomain: limit,
    exactSet: limit,
    failures: limit,
    renewalReserve: percent,
    platformPercent: percent,
    shares: recordOf(positive),
  }),
  routing: record({ classes: routingClasses, drainSeconds: whole }),
  platformTls: oneOf('PerHost', 'Default'),
  probe: record({ caFile: nullable(text) }),
  systemNamespace: text,
  requireTxt: flag,
  plans: recordOf(
    record({
      rateLimit: record(checksOf(limitFields.rateLimit)),
      customDomains: record(checksOf(limitFields.customDomains)),
      negotiated: optional(flag),
      listed: optional(flag),
      maximum: optional(record(mapValues(checksOf(limitFields.maximum), optional))),
      routingClasses: optional(texts),
    }),
  ),
  certManager: nullable(record({ namespace: text, deployment: text, serviceAccount: text })),
  sidecar: nullable(record({ serviceAccount: text, folder: text })),
  workers: record({
    account: workers,
    redirectorEndpoints: workers,
    project: workers,
    projectDomain: workers,
    hostnameClaim: workers,
    acmeOrder: workers,
    apiKey: workers,
    orphan: workers,
  }),
  looksPerSecond: wholeBetween(1, 10_000),
  metricsAddress: address,
};

/** Reads and checks the file. Throws a ConfigError that lists all problems at once. */
export const readOperatorConfig = (path: string): OperatorConfig => readConfigFile(path, fields);

/** The same for the text of such a file; `source` is what its problems are told of. */
export const parseOperatorConfig = (text: string, source: string): OperatorConfig => parseConfig(text, source, fields);
