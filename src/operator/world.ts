import { readFileSync } from 'node:fs';
import { createAsker } from '../dns/asker.ts';
import { parseEndpoint } from '../dns/endpoint.ts';
import type { Dns } from '../dns/port.ts';
import { rootServers } from '../dns/root-servers.ts';
import type { ObjectKey } from '../kube/port.ts';
import { createProbe } from '../probe/https.ts';
import { createCounting } from '../reconcile/account/counting.ts';
import { createIssuerGuard } from '../reconcile/account/issuer-guard.ts';
import { createMoves } from '../reconcile/redirector-endpoints/moves.ts';
import { createTargetAddresses } from '../reconcile/target-addresses.ts';
import type { World } from '../reconcile/world.ts';
import type { Clock } from '../runtime/clock.ts';
import type { OperatorConfig } from '../runtime/config.ts';
import { installationKey } from './secret.ts';
import type { Stores } from './stores.ts';

export interface WorldParts extends Pick<World, 'cluster' | 'announce'> {
  readonly config: OperatorConfig;
  readonly stores: Stores;
  readonly clock: Clock;
  readonly certManagerAway: () => boolean;
  /** told how long each DNS check took, milliseconds */
  readonly observeDnsCheck: (ms: number) => void;
}

/** The Service whose endpoints are the redirector's Pods. */
export const redirectorOf = ({ systemNamespace }: OperatorConfig): ObjectKey => ({
  namespace: systemNamespace,
  name: 'projectdomain-redirector',
});

function dnsOf(config: OperatorConfig): Dns {
  return createAsker({
    roots: (config.roots.length > 0 ? config.roots : rootServers).map(parseEndpoint),
    resolvers: config.resolvers.map(parseEndpoint),
    permitted: config.permittedRanges,
  });
}

function measured(dns: Dns, { clock, observeDnsCheck }: Pick<WorldParts, 'clock' | 'observeDnsCheck'>): Dns {
  return {
    async check(request, signal) {
      const startedAt = clock.elapsed();
      try {
        return await dns.check(request, signal);
      } finally {
        observeDnsCheck(clock.elapsed() - startedAt);
      }
    },
  };
}

/** What the controllers see and act through: settings read once, DNS, the ingress and the cluster. */
export async function buildWorld(parts: WorldParts): Promise<World> {
  const { config, clock } = parts;
  const { address, port, caFile } = config.probe;
  const settings = Object.freeze({
    platformDomain: config.platformDomain,
    cnameDomain: config.cnameDomain,
    platformAddresses: config.platformAddresses,
    issuer: config.issuer,
    ca: { domains: config.caDomains, method: 'http-01' },
    orderLimits: config.orderLimits,
    ingressClass: config.ingressClass,
    redirector: redirectorOf(config),
    platformTls: config.platformTls,
    requireTxt: config.requireTxt,
    plans: config.plans,
    certManager: config.certManager,
    secret: await installationKey(parts.cluster, config.systemNamespace),
  });
  return {
    cluster: parts.cluster,
    dns: measured(dnsOf(config), parts),
    announce: parts.announce,
    caches: parts.stores,
    certManagerAway: parts.certManagerAway,
    settings,
    probe: createProbe({ address, port, ca: caFile === null ? null : readFileSync(caFile, 'utf8') }),
    targets: createTargetAddresses(clock.now),
    moves: createMoves(parts.cluster, settings.redirector),
    issuerGuard: createIssuerGuard(parts.cluster, settings, clock.elapsed),
    countsQuotas: createCounting({
      cluster: parts.cluster,
      namespace: config.systemNamespace,
      elapsed: clock.elapsed,
    }),
    now: clock.now,
  };
}
