import { vantagePointList } from '../dns/vantage/vantage-point-config.ts';
import type { RoutingSettings } from '../routing/create-routes.ts';
import type { GatewayControllerName, IngressControllerName } from '../routing/edges/controllers.ts';
import { canHaveListeners, gatewayControllers, ingressControllers } from '../routing/edges/controllers.ts';
import { tsigAlgorithms } from '../dns/update/tsig.ts';
import type { PlanLimits } from '../rules/plan-limits.ts';
import { limitFields } from '../rules/plan-limits.ts';
import type { Check, RecordOf } from '../lib/config-checks.ts';
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
import { parseConfig, readConfigFile } from '../lib/config-file.ts';

/** One object records the orders of a window; more would exceed etcd's size limit. */
const mostOrders = 3_000;
/** Each reconcile that runs holds a snapshot and, mostly, a DNS check in memory. */
const workers = wholeBetween(1, 512);
const percent = wholeBetween(0, 90);
/** At most `count` in any window of `seconds`. */
const limit = record({ count: positive, seconds: positive });

const ofEveryClass = {
  class: label,
  probe: record({ address: text, port: whole, httpPort: whole }),
  isRetired: flag,
  addresses: texts,
};
const ingressControllerNames = Object.keys(ingressControllers) as readonly IngressControllerName[];
const gatewayControllerNames = Object.keys(gatewayControllers) as readonly GatewayControllerName[];
const eachClass = list(
  byKind({
    Ingress: {
      ...ofEveryClass,
      className: text,
      controller: oneOf(...ingressControllerNames),
      httpsRedirect: flag,
    },
    Gateway: {
      ...ofEveryClass,
      namespace: text,
      name: text,
      controller: oneOf(...gatewayControllerNames),
      /** where the controller can have them in more than one place */
      listeners: optional(oneOf('ListenerSet', 'Gateway')),
    },
  }),
  1,
);
const areClasses = expecting('classes with a name of their own each, of which one serves all hostnames', (value) => {
  const classes = value as RoutingSettings['classes'];
  const isUnlike = new Set(classes.map((one) => one.class)).size === classes.length;
  return isUnlike && classes.some(({ isRetired, addresses }) => !isRetired && addresses.length === 0);
});
const haveListeners = expecting('listeners of a Gateway where its controller can have them', (value) =>
  (value as RoutingSettings['classes']).every((one) => one.kind === 'Ingress' || canHaveListeners(one)),
);
const routingClasses: Check<RoutingSettings['classes']> = (value, path) => {
  const problems = eachClass(value, path);
  return problems.length > 0 ? problems : [...areClasses(value, path), ...haveListeners(value, path)];
};

const mapValues = <A, B>(fields: Readonly<Record<string, A>>, change: (field: A) => B): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]));
const checksOf = (fields: Readonly<Record<string, 'count' | 'switch'>>) =>
  mapValues(fields, (field) => (field === 'switch' ? flag : whole));

const planLimits: Check<PlanLimits> = record({
  rateLimit: record(checksOf(limitFields.rateLimit)),
  customDomains: record(checksOf(limitFields.customDomains)),
  negotiated: optional(flag),
  listed: optional(flag),
  maximum: optional(record(mapValues(checksOf(limitFields.maximum), (check: Check) => optional(check)))),
  routingClasses: optional(texts),
}) as Check as Check<PlanLimits>;

/**
 * The operator's configuration file: JSON with exactly the fields below. Listen addresses are `ADDR:PORT`,
 * `[ADDR6]:PORT` or `:PORT`.
 */
const fields = {
  /** path; null for the Pod's own ServiceAccount */
  kubeconfig: nullable(text),
  platformDomain: text,
  cnameDomain: text,
  platformAddresses: texts,
  /** where delegation walks start; empty for the Internet's root servers */
  roots: texts,
  resolvers: texts,
  /** CIDR ranges whose name servers may be queried although they are not public */
  permittedRanges: texts,
  /** other places that have to find the same in DNS; none by default (docs/concepts/dns-rules.md) */
  vantagePoints: vantagePointList,
  /** CIDR ranges of CDNs beside the known ones (src/rules/cdn-ranges.ts) */
  cdnRanges: list(range),
  issuer: record({ kind: oneOf('ClusterIssuer', 'AcmeIssuer'), name: text }),
  /** where hostnames are prepared before they are switched; null where they cannot be */
  challengeZone: nullable(
    record({
      zone: text,
      /** ADDR or ADDR:PORT, as `servers` */
      primary: text,
      servers: list(text, 1),
      /** the file has the key in base64 */
      tsig: record({ keyName: text, algorithm: oneOf(...tsigAlgorithms), secretFile: text }),
    }),
  ),
  /** CAA issuer domains of the certificate authority */
  caDomains: list(text, 1),
  /** the authority's rate limits, and how they are shared (charts/projectdomain/values.yaml, issuer.limits) */
  orderLimits: record({
    orders: record({ count: wholeBetween(1, mostOrders), seconds: positive }),
    registeredDomain: limit,
    exactSet: limit,
    failures: limit,
    /** of `orders` */
    renewalReserve: percent,
    /** of `orders` */
    platformPercent: percent,
    /** weight of an account by the name of its plan */
    shares: recordOf(positive),
  }),
  /** what serves hostnames: ingress controllers and Gateways; and whether customers may add wildcards */
  routing: record({ classes: routingClasses, wildcards: flag, drainSeconds: whole }),
  platformTls: oneOf('PerHost', 'Default'),
  /** root certificates that hostnames are probed with; null for the system's */
  probe: record({ caFile: nullable(text) }),
  systemNamespace: text,
  /** require the ownership TXT even when the exact target is visible; must be the same as the API server's */
  requireTxt: flag,
  /** limits of the Plans that are created when missing, by name */
  plans: recordOf(planLimits),
  /**
   * the cert-manager whose setup is checked: may it approve our requests, does it tie Secrets to Certificates; or null
   */
  certManager: nullable(record({ namespace: text, deployment: text, serviceAccount: text })),
  /** the API server in the same Pod, and the folder that both mount; null when it runs elsewhere */
  sidecar: nullable(record({ serviceAccount: text, folder: text })),
  /** how many reconciles run at a time, by controller */
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
  /** how many served domains may be looked up in DNS in a second; with more than it can bear, each is looked up less often */
  looksPerSecond: wholeBetween(1, 10_000),
  metricsAddress: address,
};

export type OperatorConfig = RecordOf<typeof fields>;

/** Reads and checks the file. Throws a ConfigError that lists all problems at once. */
export const readOperatorConfig = (path: string): OperatorConfig => readConfigFile(path, fields);

/** The same for the text of such a file; `source` is what its problems are told of. */
export const parseOperatorConfig = (text: string, source: string): OperatorConfig => parseConfig(text, source, fields);
