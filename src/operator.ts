import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { createAsker } from './dns/asker.ts';
import { parseEndpoint } from './dns/endpoint.ts';
import type { Dns } from './dns/port.ts';
import { rootServers } from './dns/root-servers.ts';
import { becomeLeader } from './engine/leader.ts';
import { createCluster } from './kube/client.ts';
import { connect } from './kube/connection.ts';
import { createAnnouncer } from './kube/events.ts';
import { createLeaseStore } from './kube/lease.ts';
import type { Reflector } from './kube/reflector.ts';
import { createTransport } from './kube/transport.ts';
import { connectTriggers, createQueues, runControllers } from './operator/controllers.ts';
import { installationKey } from './operator/secret.ts';
import { glimpseOf, startWatching } from './operator/start-watching.ts';
import type { Stores } from './operator/stores.ts';
import { createStores } from './operator/stores.ts';
import { createProbe } from './probe/https.ts';
import { createTargetAddresses } from './reconcile/target-addresses.ts';
import type { World } from './reconcile/world.ts';
import { systemClock as clock } from './runtime/clock.ts';
import type { OperatorConfig } from './runtime/config.ts';
import { ConfigError, readConfig } from './runtime/config.ts';
import { serveHealth } from './runtime/health.ts';
import { createLog } from './runtime/log.ts';
import { createOperatorMetrics } from './runtime/metrics.ts';

const fieldManager = 'projectdomain-operator';
/** Silence longer than this from the API server makes the process not ready. */
const staleAfterMs = 120_000;

const log = createLog(process.env.LOG_LEVEL ?? 'info');

type Phase = 'syncing' | 'standby' | 'starting' | 'leading';

/** Reads the configuration, builds the rooms, leads, reconciles, and ends on a signal or when the lease is lost. */
async function main(config: OperatorConfig, signal: AbortSignal): Promise<number> {
  const transport = createTransport(await connect(config.kubeconfig ?? undefined));
  const stores = createStores((error) => log.error({ error: String(error) }, 'a listener of a cache failed'));
  const cluster = createCluster(transport, fieldManager, glimpseOf(stores));
  const queues = createQueues(clock);
  let phase: Phase = 'syncing';
  connectTriggers(stores, queues, () => phase === 'leading');
  const reflectors = startWatching({ transport, stores, log, clock }, signal);
  const metrics = createOperatorMetrics({
    domainsByState: () => countStates(stores),
    staleness: () => new Map([...reflectors].map(([kind, reflector]) => [kind, reflector.staleness() / 1_000])),
    depth: () => new Map(Object.entries(queues).map(([name, queue]) => [name, queue.depth()])),
  });
  const stopHealth = await serveHealth(config.metricsAddress, {
    notReady: () => notReady(reflectors, phase),
    metrics: () => metrics.text(),
  });
  await Promise.all([...reflectors.values()].map(({ synced }) => synced));
  phase = 'standby';
  const store = createLeaseStore(cluster, { namespace: config.systemNamespace, name: 'projectdomain-operator' });
  const leadership = await becomeLeader({ identity: `${hostname()}-${process.pid}`, store, clock, log }, signal);
  phase = 'starting';
  const world = await buildWorld({
    config,
    cluster,
    stores,
    dns: measured(dnsOf(config), metrics.dnsCheck),
    announce: createAnnouncer(transport, log, clock.now),
  });
  phase = 'leading';
  log.info({ domains: stores.domains.size }, 'reconciling');
  const running = runControllers({ world, queues, log, clock, observe: metrics.visit }, signal);
  const ending = await Promise.race([leadership.lost.then(() => 'lost'), running.then(() => 'wound down')]);
  if (ending === 'lost') {
    log.error({}, 'the leader lease is lost; ending so that nobody writes twice');
    return 1;
  }
  await leadership.release();
  await Promise.all([stopHealth(), transport.close()]);
  return 0;
}

function dnsOf(config: OperatorConfig): Dns {
  return createAsker({
    roots: (config.roots.length > 0 ? config.roots : rootServers).map(parseEndpoint),
    resolvers: config.resolvers.map(parseEndpoint),
    permitted: config.permittedRanges,
  });
}

function measured(dns: Dns, observe: (ms: number) => void): Dns {
  return {
    async check(request, signal) {
      const startedAt = clock.elapsed();
      try {
        return await dns.check(request, signal);
      } finally {
        observe(clock.elapsed() - startedAt);
      }
    },
  };
}

async function buildWorld({
  config,
  ...parts
}: Pick<World, 'cluster' | 'dns' | 'announce'> & { config: OperatorConfig; stores: Stores }): Promise<World> {
  const { address, port, caFile } = config.probe;
  const settings = Object.freeze({
    platformDomain: config.platformDomain,
    cnameDomain: config.cnameDomain,
    platformAddresses: config.platformAddresses,
    issuer: config.issuer,
    ca: { domains: config.caDomains, method: 'http-01' },
    ingressClass: config.ingressClass,
    platformTls: config.platformTls,
    requireTxt: false,
    secret: await installationKey(parts.cluster, config.systemNamespace),
  });
  return {
    cluster: parts.cluster,
    dns: parts.dns,
    announce: parts.announce,
    caches: parts.stores,
    settings,
    probe: createProbe({ address, port, ca: caFile === null ? null : readFileSync(caFile, 'utf8') }),
    targets: createTargetAddresses(clock.now),
    now: clock.now,
  };
}

function countStates({ domains }: Stores): ReadonlyMap<string, number> {
  const counts = new Map(
    ['Pending', 'Unverified', 'Verified', 'Live', 'Degraded', 'Suspended'].map((state) => [state, 0]),
  );
  for (const { status } of domains.list())
    counts.set(status?.state ?? 'Pending', (counts.get(status?.state ?? 'Pending') ?? 0) + 1);
  return counts;
}

/** A standby with warm caches is ready too: it can take over at once. */
function notReady(reflectors: ReadonlyMap<string, Reflector>, phase: Phase): string | null {
  const silent = [...reflectors].filter(([, reflector]) => reflector.staleness() > staleAfterMs).map(([kind]) => kind);
  if (silent.length > 0) return `the API server has not spoken of: ${silent.join(', ')}`;
  return phase === 'syncing' || phase === 'starting' ? phase : null;
}

const { values } = parseArgs({ options: { config: { type: 'string' } } });
const ended = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => ended.abort());
try {
  if (values.config === undefined) throw new ConfigError('usage: operator --config FILE');
  process.exitCode = await main(readConfig(values.config), ended.signal);
} catch (error) {
  if (!ended.signal.aborted) {
    log.error({ error: String(error) }, 'the operator cannot run');
    process.exitCode = error instanceof ConfigError ? 3 : 1;
  }
}
process.exit();
