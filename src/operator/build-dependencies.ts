import { createAcmeClients } from '../acme/acme-clients.ts';
import { indexKey } from '../kubernetes/object-keys.ts';
import { claimKey } from '../rules/claim-name.ts';
import { recordValues } from '../rules/dns-target.ts';
import { readFileSync } from 'node:fs';
import { createForeignLooks } from '../controllers/project/foreign-looks.ts';
import type { CheckCost } from '../dns/lookup/dns-checker.ts';
import { checkerOptions, createDnsChecker } from '../dns/lookup/dns-checker.ts';
import { withBreaker, createVantageDns } from '../dns/vantage/vantage-dns.ts';
import type { VantageDnsOptions } from '../dns/vantage/vantage-dns.ts';
import { createVantagePoint } from '../dns/vantage/vantage-point.ts';
import type { ChallengeZone } from '../dns/challenge-zone.ts';
import type { Dns } from '../dns/dns-facts.ts';
import { parseEndpoint } from '../dns/wire/dns-endpoint.ts';
import { createChallengeZone } from '../dns/update/challenge-zone.ts';
import { readTsigKey } from '../dns/update/tsig.ts';
import { dnsSettings } from '../dns/verdict/desired-dns.ts';
import type { ObjectKey } from '../kubernetes/kubernetes-port.ts';
import type { RouteImplementation } from '../routing/route-port.ts';
import type { RoutingClass } from '../routing/create-routes.ts';
import { listenersOf } from '../routing/edges/controllers.ts';
import { areInGateway } from '../routing/gateway/gateway-listeners.ts';
import { createRoutingClasses, servingClasses } from '../routing/create-routes.ts';
import type { Probe } from '../routing/https-probe.ts';
import { createHttpsProbe, probeEdges } from '../routing/https-probe.ts';
import type { ChallengeProbe } from '../routing/challenge-probe.ts';
import { answeredEverywhere } from '../routing/challenge-probe.ts';
import { redirectBackend, redirectorAddresses } from '../routing/redirect-service.ts';
import { createTokenLimits } from '../routing/token-probe/token-limits.ts';
import type { TokenProbe } from '../routing/token-probe/token-probe.ts';
import { createTokenProbe } from '../routing/token-probe/token-probe.ts';
import { cdnOf } from '../rules/cdn-ranges.ts';
import type { TokenAnswer } from '../rules/domain-token.ts';
import type { ControllerSettings } from '../controllers/controller-settings.ts';
import { addressRule } from '../dns/lookup/address-safety.ts';
import { createQuotaCountingCheck } from '../controllers/account/quota-counting-check.ts';
import { createIssuerGuard } from '../controllers/account/issuer-guard.ts';
import { createGatewayControllers, createGatewayGuard } from '../controllers/gateway-guard.ts';
import { createAuthorityHealth } from '../controllers/acme-issuer/authority-health.ts';
import { createRegisteredAccounts } from '../controllers/acme-issuer/registered-accounts.ts';
import { createOrderAttempts, createRevocationAttempts } from '../controllers/acme-order/order-attempts.ts';
import { createRedirectorRollout } from '../controllers/redirector-endpoints/redirector-rollout.ts';
import { createTargetAddresses } from '../controllers/needs.ts';
import type { ControllerNeeds } from '../controllers/controllers.ts';
import type { Clock } from '../lib/clock.ts';
import type { Tracer } from '../lib/tracer.ts';
import type { OperatorConfig } from './config.ts';
import { installationKey } from './installation-key.ts';
import type { OperatorStores } from './operator-stores.ts';

export interface DependencySources extends Pick<
  ControllerNeeds,
  'cluster' | 'recordEvent' | 'refusedWrites' | 'recentChecks' | 'observeRecordFound' | 'observeRevocation' | 'tracer'
> {
  readonly config: OperatorConfig;
  readonly stores: OperatorStores;
  readonly routes: RouteImplementation;
  readonly clock: Clock;
  readonly certManagerUnavailable: () => boolean;
  /** called with the cost of each DNS check */
  readonly observeDnsCheck: (cost: CheckCost) => void;
  /** called with what became of each check at a remote vantage point */
  readonly observeVantagePoint: NonNullable<VantageDnsOptions['observe']>;
  /** called with what came of each request for a token */
  readonly observeTokenAnswer: (answer: TokenAnswer) => void;
}

/** The Service whose endpoints are the redirector's Pods. */
const redirectorOf = ({ systemNamespace }: OperatorConfig): ObjectKey => ({
  namespace: systemNamespace,
  name: 'projectdomain-redirector',
});

const gatewaysOf = (classes: readonly RoutingClass[]): ControllerSettings['gateways'] =>
  classes.flatMap((one) =>
    one.kind === 'Gateway'
      ? [{ class: one.class, namespace: one.namespace, name: one.name, listeners: listenersOf(one) }]
      : [],
  );

const dnsOf = (sources: DependencySources): Dns =>
  createVantageDns({
    local: localDnsOf(sources),
    points: sources.config.vantagePoints.map((point) => withBreaker(createVantagePoint(point), sources.clock)),
    observe: sources.observeVantagePoint,
  });

/** Each check as a span of the reconcile that makes it. */
export const tracedDns = (dns: Dns, tracer: Tracer): Dns => ({
  check: (request, signal) =>
    tracer.span('DNS check', { 'projectdomain.confirmation': request.isConfirmation === true }, () =>
      dns.check(request, signal),
    ),
});

const localDnsOf = ({ config, observeDnsCheck }: DependencySources): Dns =>
  createDnsChecker({ ...checkerOptions(config), observe: observeDnsCheck });

const tokenProbeOf = (
  { config, clock, observeTokenAnswer }: DependencySources,
  { cdnRanges }: Pick<ControllerSettings, 'cdnRanges'>,
): TokenProbe =>
  createTokenProbe({
    isAllowed: addressRule(config.permittedRanges),
    limits: createTokenLimits((address) => cdnOf(address, cdnRanges) !== null, clock.elapsed),
    platformDomain: config.platformDomain,
    observe: observeTokenAnswer,
  });

/** The key is read before each change, as its Secret may be replaced. */
function challengeZoneOf({ config: { challengeZone }, clock }: DependencySources): ChallengeZone | null {
  if (challengeZone === null) return null;
  const { zone, primary, servers, tsig } = challengeZone;
  return createChallengeZone({
    zone,
    primary: parseEndpoint(primary),
    servers: servers.map(parseEndpoint),
    key: () => readTsigKey(tsig),
    now: clock.now,
  });
}

/** The redirector's Pods as Kubernetes shows them now, and the edges before them that have a route of the hostname. */
function challengeProbeOf(
  { config, stores }: DependencySources,
  { routingClasses }: Pick<ControllerSettings, 'routingClasses'>,
): ChallengeProbe {
  const { namespace, name } = redirectorOf(config);
  const routeOf = (hostname: string) => {
    const holder = stores.claims.get(claimKey(hostname))?.spec.holder;
    return holder && stores.routes.get(holder.namespace, hostname);
  };
  return (hostname, expected) => {
    const routed = routingClasses.ofObjects(routeOf(hostname)?.objects ?? []);
    const ingresses = servingClasses(config.routing)
      .filter((one) => routed.length === 0 || routed.includes(one.class))
      .map(({ probe: { address, port, httpPort } }) => ({ address, ports: { http: httpPort, https: port } }));
    const slices = stores.endpointSlices.byIndex('service', indexKey(namespace, name));
    const redirectors = { addresses: redirectorAddresses(slices), port: redirectBackend.port };
    return answeredEverywhere({ redirectors, ingresses }, hostname, expected);
  };
}

/** Every edge that serves hostnames. */
function probeOf({ routing, probe: { caFile } }: OperatorConfig): Probe {
  const ca = caFile === null ? null : readFileSync(caFile, 'utf8');
  return probeEdges(
    servingClasses(routing).map(({ class: edge, probe: { address, port } }) => ({
      edge,
      probe: createHttpsProbe({ address, port, ca }),
    })),
  );
}

/** Everything that the controllers read and act through: settings, DNS, the ingress and the cluster. */
export async function buildDependencies(parts: DependencySources): Promise<ControllerNeeds> {
  const { config, clock } = parts;
  const settings = Object.freeze({
    ...dnsSettings(config),
    issuer: config.issuer,
    orderLimits: config.orderLimits,
    routes: parts.routes,
    routingClasses: createRoutingClasses(config.routing),
    drainMs: config.routing.drainSeconds * 1_000,
    gateways: gatewaysOf(servingClasses(config.routing)),
    writtenGateways: gatewaysOf(config.routing.classes).filter(({ listeners }) => areInGateway(listeners)),
    redirector: redirectorOf(config),
    systemNamespace: config.systemNamespace,
    platformTls: config.platformTls,
    looksPerSecond: config.looksPerSecond,
    plans: config.plans,
    certManager: config.certManager,
    records: recordValues(await installationKey(parts.cluster, config.systemNamespace), config.cnameDomain),
  });
  return {
    cluster: parts.cluster,
    dns: tracedDns(dnsOf(parts), parts.tracer),
    recordEvent: parts.recordEvent,
    ...(parts.refusedWrites ? { refusedWrites: parts.refusedWrites } : {}),
    tracer: parts.tracer,
    caches: parts.stores,
    certManagerUnavailable: parts.certManagerUnavailable,
    settings,
    probe: probeOf(config),
    tokenProbe: tokenProbeOf(parts, settings),
    challengeProbe: challengeProbeOf(parts, settings),
    challengeZone: challengeZoneOf(parts),
    acmeClients: createAcmeClients(clock.now),
    accounts: createRegisteredAccounts(),
    accountLooks: new Map(),
    authorityHealth: createAuthorityHealth(clock.now),
    orderAttempts: createOrderAttempts(),
    revocationAttempts: createRevocationAttempts(),
    observeRevocation: parts.observeRevocation,
    targets: createTargetAddresses(clock.now, config.platformAddresses),
    recentChecks: parts.recentChecks,
    foreignLooks: createForeignLooks(),
    observeRecordFound: parts.observeRecordFound,
    rollout: createRedirectorRollout(parts.cluster, settings.redirector),
    gatewayGuard: createGatewayGuard(parts.cluster, settings, clock.elapsed),
    edgeControllers: createGatewayControllers(parts.cluster, settings, clock.elapsed),
    issuerGuard: createIssuerGuard(parts.cluster, settings, clock.elapsed),
    areQuotasCounted: createQuotaCountingCheck({
      cluster: parts.cluster,
      namespace: config.systemNamespace,
      elapsed: clock.elapsed,
    }),
    now: clock.now,
  };
}
