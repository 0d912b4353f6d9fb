import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, expectThat } from '../lib/eventually.ts';
import type { Corner } from './address.ts';
import { podAddressOf } from './address.ts';
import type { ChartValues } from './chart.ts';
import { chartValues, systemNamespace } from './chart.ts';
import { canWildcard } from './controllers.ts';
import type { ControlPlane } from './control-plane.ts';
import type { Kubectl } from './kubectl.ts';
import type { Part } from './process.ts';
import { startSupervised } from './process.ts';
import type { Around, ClassRouting, IssuerKind } from './services.ts';
import { caDomain, issuerName, traefikEdge } from './services.ts';

export const platformDomain = 'apps.example.net';
export const cnameDomain = `cname.${platformDomain}`;

const ports = {
  operator: { metrics: 9_402 },
  'api-server': { listen: 8_080, authorize: 8_082, metrics: 9_403 },
  redirector: { listen: 8_085, metrics: 9_404 },
} as const;

export type OurName = keyof typeof ports;

/** One of our processes as it is shipped, pointed at this platform by a configuration file. */
export interface OurPart {
  readonly part: Part;
  readonly metricsUrl: string;
}

/** What the operator is told of the zone in which hostnames are prepared before they are switched. */
export interface ChallengeZoneSettings {
  readonly zone: string;
  readonly primary: string;
  readonly servers: readonly string[];
  readonly tsig: { readonly keyName: string; readonly algorithm: string; readonly secretFile: string };
}

export interface PlatformContext {
  readonly around: Around;
  readonly controlPlane: ControlPlane;
  readonly acmeRoot: string;
  readonly redisUrl: string;
  /** what the operator may order; much, unless a test is about little */
  readonly orderLimits?: OrderLimits;
  readonly issuer?: IssuerKind;
  /** how hostnames are served; as by Traefik when absent */
  readonly routing?: ClassRouting;
  /** another edge, at an address of its own; absent where there is none */
  readonly second?: SecondClass;
  /** null, or absent, where hostnames cannot be prepared before they are switched */
  readonly challengeZone?: ChallengeZoneSettings | null;
  /** a certificate for each platform hostname, unless it is said that the ingress has one for all */
  readonly platformTls?: 'PerHost' | 'Default';
  /** path of a module that our processes load before their own; none when absent */
  readonly preload?: string;
}

/** Which edges of a platform with two serve hostnames; `chosen`: the second those projects alone that choose it. */
export type Serving = 'first' | 'both' | 'chosen' | 'second';

interface SecondClass {
  readonly routing: ClassRouting;
  readonly address: string;
  readonly serving: () => Serving;
}

/** The chart's `issuer.limits`. */
export type OrderLimits = ChartValues['issuer']['limits'];

/** Pebble has no limits, and tests order the same names and names of one registered domain all day: what they share is the shares. */
const testLimits: OrderLimits = {
  ...chartValues().issuer.limits,
  orders: { count: 3_000, seconds: 10_800 },
  registeredDomain: { count: 1_000, seconds: 604_800 },
  exactSet: { count: 50, seconds: 604_800 },
};

export const apiUrl = ({ corner }: Around): string => `http://${corner.address}:${ports['api-server'].listen}`;
/** The platform's other API, of which a request counts as five. */
export const otherApis = { uploads: { cost: 5 } } as const;
/** Where clients are answered, and the proxies of the other API. */
export const apiUrls = (around: Around) => ({
  apiUrl: apiUrl(around),
  authorizeUrl: `http://${around.corner.address}:${ports['api-server'].authorize}/authorize/uploads`,
});
const redirectorAddress = ({ corner }: Around): string => `${corner.address}:${ports.redirector.listen}`;

/** One process among several of the same program. */
interface Instance {
  readonly partName: string;
  /** what it is told instead of what the others are */
  readonly settings: object;
}

const metricsAddressOf = (name: OurName, { corner }: Around): string => `${corner.address}:${ports[name].metrics}`;

/** What one of our processes is told, all but how it reaches the kube-apiserver. */
export const settingsOf = async (name: OurName, platformContext: PlatformContext): Promise<object> => ({
  metricsAddress: metricsAddressOf(name, platformContext.around),
  ...(await configs[name](platformContext)),
});

export const metricsUrlOf = (name: OurName, around: Around): string => `http://${metricsAddressOf(name, around)}`;

/** Where a process of ours begins. */
export const programOf = (name: OurName): string => join(import.meta.dirname, `../../src/${name}/main.ts`);

/** Starts it under its own ServiceAccount: it gets the rights it is shipped with and no others. */
export async function startOurs(
  name: OurName,
  platformContext: PlatformContext,
  { partName, settings }: Instance = { partName: name, settings: {} },
): Promise<OurPart> {
  const { around, controlPlane, preload } = platformContext;
  const { dir } = around;
  const kubeconfig = controlPlane.kubeconfigWith(identities[name], await tokenOf(name, around));
  const configFile = join(dir, `${partName}.json`);
  const config = { metricsAddress: '', kubeconfig, ...(await settingsOf(name, platformContext)), ...settings };
  writeFileSync(configFile, JSON.stringify(config, null, 2));
  const metricsUrl = `http://${config.metricsAddress}`;
  const part = await startSupervised({
    name: partName,
    program: process.execPath,
    dir,
    args: [
      '--disable-warning=ExperimentalWarning',
      ...[network, ...(preload === undefined ? [] : [preload])].flatMap((module) => ['--import', module]),
      ...[programOf(name), '--config', configFile],
    ],
    env: { NODE_ENV: 'production', POD_ADDRESSES: JSON.stringify(podAddresses(around.corner)) },
    ready: async () => (await fetch(`${metricsUrl}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok,
  });
  return { part, metricsUrl };
}

const identities: Readonly<Record<OurName, string>> = {
  operator: 'projectdomain-operator',
  'api-server': 'projectdomain-api',
  redirector: 'projectdomain-redirector',
};

/** A token of its ServiceAccount. */
export async function tokenOf(name: OurName, { kubectl }: Around): Promise<string> {
  return (await kubectl.run(['create', 'token', identities[name], '-n', systemNamespace, '--duration=24h'])).trim();
}

/** What operator and API server are told alike. */
const shared = ({ around: { corner }, issuer = 'AcmeIssuer', challengeZone = null, second }: PlatformContext) => ({
  platformDomain,
  cnameDomain,
  platformAddresses: [corner.address, ...(second && second.serving() !== 'chosen' ? [second.address] : [])],
  roots: [`${corner.address}:53`],
  resolvers: [`${corner.address}:53`],
  permittedRanges: ['127.0.0.0/8'],
  cdnRanges: [`${cdnAddressOf(corner)}/32`],
  issuer: { kind: issuer, name: issuerName },
  challengeZone: challengeZone && { zone: challengeZone.zone },
  caDomains: [caDomain],
  requireTxt: false,
  looksPerSecond: chartValues().dns.looksPerSecond,
});

const probeOf = (address: string) => ({ address, port: 443, httpPort: 80 });

function routingOf(context: PlatformContext) {
  const { around, second } = context;
  const serving = second?.serving() ?? 'first';
  const own = {
    class: 'default',
    ...told(context.routing ?? traefikEdge.routing),
    probe: probeOf(around.corner.address),
    addresses: [],
  };
  const first = { ...own, isRetired: serving === 'second' };
  const drainSeconds = 2;
  const common = { wildcards: servesWildcards(context), drainSeconds };
  if (!second || serving === 'first') return { classes: [first], ...common };
  const { routing, address } = second;
  const beside = { class: secondClass, ...told(routing), probe: probeOf(address), isRetired: false };
  const addresses = serving === 'chosen' ? [address] : [];
  return { classes: [first, { ...beside, addresses }], ...common };
}

const told = (routing: ClassRouting) => (routing.kind === 'Ingress' ? { ...routing, httpsRedirect: true } : routing);

/** None where there is no zone for their challenges. */
const servesWildcards = ({ routing = traefikEdge.routing, challengeZone = null }: PlatformContext): boolean =>
  challengeZone !== null && canWildcard(routing);

/** The routing class of a platform's second edge. */
export const secondClass = 'second';

const configs: Readonly<Record<OurName, (platformContext: PlatformContext) => Promise<object> | object>> = {
  operator: (context) => ({
    ...shared(context),
    vantagePoints: [],
    challengeZone: context.challengeZone ?? null,
    orderLimits: context.orderLimits ?? testLimits,
    routing: routingOf(context),
    platformTls: context.platformTls ?? 'PerHost',
    probe: { caFile: context.acmeRoot },
    systemNamespace,
    plans: chartValues().plans,
    certManager: null,
    sidecar: null,
    workers: chartValues().operator.workers,
  }),
  'api-server': async ({ around, redisUrl, ...context }) => ({
    ...shared({ around, redisUrl, ...context }),
    wildcards: servesWildcards({ around, redisUrl, ...context }),
    hmacFile: await mountHmac(around),
    redis: {
      url: redisUrl,
      passwordFile: null,
      caFile: null,
      sentinels: [],
      name: null,
      sentinelPasswordFile: null,
      cluster: [],
    },
    replicas: 1,
    listen: `${around.corner.address}:${ports['api-server'].listen}`,
    authorize: {
      listen: `${around.corner.address}:${ports['api-server'].authorize}`,
      apis: otherApis,
    },
    trustedProxies: [],
    forwardedHeader: 'X-Forwarded-For',
    publicUrl: null,
    dashboard: { name: 'Custom domains', platformName: null, supportUrl: null, upgradeUrl: null, accentColour: null },
    lingerMs: 500,
  }),
  redirector: ({ around }) => ({
    listen: redirectorAddress(around),
    systemNamespace,
    lingerMs: 500,
    lingerAtMostMs: 5_000,
  }),
};

interface Secret {
  readonly data: { readonly key: string };
}

/** What the kubelet does with the Secret that the operator makes: a file in the API server's reach. */
async function mountHmac({ dir, kubectl }: Around): Promise<string> {
  const file = join(dir, 'hmac.key');
  const secret = await eventually('the operator has made its HMAC key', 60_000, async () => {
    const seen = await kubectl.get<Secret>('secret', 'projectdomain-hmac', systemNamespace);
    expectThat(seen !== null, 'no Secret projectdomain-hmac');
    return seen;
  });
  writeFileSync(file, Buffer.from(secret.data.key, 'base64'), { mode: 0o600 });
  return file;
}

/** Where tests may put a CDN in front of customers' hostnames: an address of the platform's own that it does not use. */
export const cdnAddressOf = ({ address }: Pick<Corner, 'address'>): string => address.replace(/\d+$/, '3');

const redirectorPort = 8_080;

interface RedirectorPod {
  /** the last number of its address */
  readonly host: number;
  readonly listen: number;
  readonly metrics: number;
}

/** As many as a platform may have. */
const redirectorPods: readonly [RedirectorPod, ...RedirectorPod[]] = [
  { host: 20, ...ports.redirector },
  { host: 21, listen: 8_091, metrics: 9_414 },
  { host: 22, listen: 8_101, metrics: 9_424 },
];

const addressOf = ({ host }: RedirectorPod, { address }: Pick<Corner, 'address'>): string =>
  podAddressOf(address).replace(/\d+$/, String(host));

/** What the cluster is told of the first so many Pods of the redirector. */
export const redirectorPodAddresses = (corner: Pick<Corner, 'address'>, count: number): readonly string[] =>
  redirectorPods.slice(0, count).map((pod) => addressOf(pod, corner));

/** ADDR:PORT of each Pod to where its process listens: our processes and the emulator run beside the cluster. */
export const podAddresses = (corner: Pick<Corner, 'address'>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    redirectorPods.map((pod) => [`${addressOf(pod, corner)}:${redirectorPort}`, `${corner.address}:${pod.listen}`]),
  );

const network = join(import.meta.dirname, 'pod-addresses.ts');

/** Starts the redirectors beyond the first. */
export function startMoreRedirectors(context: PlatformContext, count: number): Promise<readonly OurPart[]> {
  const { address } = context.around.corner;
  const start = ({ listen, metrics }: RedirectorPod, index: number) =>
    startOurs('redirector', context, {
      partName: `redirector-${index + 2}`,
      settings: { listen: `${address}:${listen}`, metricsAddress: `${address}:${metrics}` },
    });
  return Promise.all(redirectorPods.slice(1, count).map(start));
}

/** The redirector's own Service, as a cluster would show it. */
export async function announceRedirector({ kubectl, corner }: Around, count = 1): Promise<void> {
  const port = { name: 'http', port: redirectorPort };
  const metadata = { name: redirectorName, namespace: systemNamespace };
  await kubectl.apply({ apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [port] } });
  await showRedirectors(kubectl, redirectorPodAddresses(corner, count));
}

const redirectorName = 'projectdomain-redirector';

/** Its ready Pods, as a cluster would show them. */
export async function showRedirectors(kubectl: Kubectl, addresses: readonly string[]): Promise<void> {
  const metadata = { name: redirectorName, namespace: systemNamespace };
  await kubectl.apply({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...metadata, labels: { 'kubernetes.io/service-name': redirectorName } },
    addressType: 'IPv4',
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports: [{ name: 'http', port: redirectorPort }],
  });
}
