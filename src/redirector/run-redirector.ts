import { createCluster } from '../kubernetes/cluster-client.ts';
import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import { ConfigMapKind } from '../resources/kinds.ts';
import { recordedAddresses, redirectorRecordName } from '../routing/redirect-service.ts';
import { connect } from '../kubernetes/connection.ts';
import type { StoresOf } from '../kubernetes/watch-stores.ts';
import { cacheFigures, createStores, startReflectors } from '../kubernetes/watch-stores.ts';
import { observed } from '../kubernetes/observed-transport.ts';
import { createTransport, withDeadline } from '../kubernetes/transport.ts';
import type { RedirectSnapshot } from './redirects/decide-redirect.ts';
import { decideRedirect } from './redirects/decide-redirect.ts';
import type { RecentRedirects } from './redirects/recent-redirects.ts';
import { createRecentRedirects } from './redirects/recent-redirects.ts';
import { createTimeSlices } from '../lib/time-slices.ts';
import { createRedirectServer } from './redirects/redirect-server.ts';
import { aborted } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { serveHealth } from '../lib/health-server.ts';
import { serveUntil } from '../lib/http-server.ts';
import type { Log } from '../lib/log.ts';
import type { RedirectorConfig } from './config.ts';
import { redirectKinds } from './redirect-kinds.ts';
import { createRedirectorMetrics } from './metrics.ts';

/** A stopping process has no time to wait for a kube-apiserver that is unavailable. */
const readDeadlineMs = 2_000;

export interface RedirectorDependencies {
  readonly config: RedirectorConfig;
  readonly clock: Clock;
  readonly log: Log;
  /** this Pod's own, in the form of EndpointSlices; none outside of a Pod */
  readonly addresses: readonly string[];
}

/**
 * Fills the caches, answers until the signal, lingers until endpoints have moved, and stops without losing a request.
 */
export async function runRedirector(
  { config, clock, log, addresses }: RedirectorDependencies,
  signal: AbortSignal,
): Promise<void> {
  const transport = observed(
    createTransport(await connect(config.kubeconfig ?? undefined)),
    (request) => metrics.kubeRequest(request),
    clock.elapsed,
  );
  const stores = createStores(redirectKinds, (error) => log.error({ err: error }, 'a cache listener failed'));
  const ended = new AbortController();
  const options = { transport, log, clock, slices: createTimeSlices(clock.elapsed) };
  const reflectors = startReflectors(redirectKinds, stores, { options, signal: ended.signal });
  const recent = createRecentRedirects(clock.elapsed);
  stores.domains.subscribe(recent.learn);
  let filled = false;
  const notReady = () => (signal.aborted ? 'stopping' : filled ? null : 'the caches are being filled');
  const metrics = createRedirectorMetrics({
    isReady: () => notReady() === null,
    ...cacheFigures(() => reflectors),
  });
  const stopHealth = await serveHealth(config.metricsAddress, {
    notReady,
    metrics: () => metrics.text(),
  });
  await Promise.race([Promise.all([...reflectors.values()].map(({ synced }) => synced)), aborted(signal)]);
  filled = true;
  const snapshot = snapshotOf(stores, recent);
  const server = createRedirectServer({
    answer: (request) => decideRedirect(request, snapshot),
    served: metrics.served,
    stopping: () => signal.aborted,
  });
  const stopServing = await serveUntil(server, config.listen);
  log.info({ listen: config.listen, startedInMs: Math.round(performance.now()) }, 'redirecting');
  await aborted(signal);
  const cluster = createCluster(withDeadline(transport, readDeadlineMs), 'projectdomain-redirector');
  await untilUnrouted({ cluster, addresses, clock, log }, config);
  await stopServing();
  ended.abort();
  await Promise.all([stopHealth(), transport.close()]);
}

const snapshotOf = (
  { domains, claims, projects }: StoresOf<typeof redirectKinds>,
  recent: RecentRedirects,
): RedirectSnapshot => ({
  claimOf: (name) => claims.get({ namespace: '', name }),
  domain: (namespace, name) => domains.get({ namespace, name }),
  project: (namespace, name) => projects.get({ namespace, name }),
  withNonce: (nonce) => domains.byIndex('nonce', nonce),
  recent: recent.of,
  wasPrimary: recent.wasPrimary,
  wasServed: recent.wasServed,
});

interface UnroutedDependencies extends Omit<RedirectorDependencies, 'config'> {
  readonly cluster: Pick<Cluster, 'get'>;
}

type Lingering = Pick<RedirectorConfig, 'systemNamespace' | 'lingerMs' | 'lingerAtMostMs'>;

const pollEveryMs = 500;

/**
 * Resolves once no account namespace routes to this Pod any more by the operator's record, at the latest after `lingerAtMostMs`, and edges
 * have had `lingerMs` since to follow the slices. It also waits while the record is missing or cannot be read: the operator may still update
 * namespaces.
 */
export async function untilUnrouted(dependencies: UnroutedDependencies, config: Lingering): Promise<void> {
  if (dependencies.addresses.length > 0) await untilMoved(dependencies, config);
  await dependencies.clock.sleep(config.lingerMs);
}

async function untilMoved(dependencies: UnroutedDependencies, config: Lingering): Promise<void> {
  const { addresses, clock, log } = dependencies;
  const end = clock.elapsed() + config.lingerAtMostMs;
  while (clock.elapsed() < end) {
    if (await isMoved(dependencies, config.systemNamespace)) return;
    await clock.sleep(Math.min(pollEveryMs, Math.max(0, end - clock.elapsed())));
  }
  log.warn({ addresses, atMostMs: config.lingerAtMostMs }, 'account namespaces may still route here; stopping anyway');
}

async function isMoved({ cluster, addresses, log }: UnroutedDependencies, systemNamespace: string): Promise<boolean> {
  try {
    const record = await cluster.get(ConfigMapKind, { namespace: systemNamespace, name: redirectorRecordName });
    const named = recordedAddresses(record);
    return record !== undefined && !addresses.some((address) => named.includes(address));
  } catch (error) {
    log.warn({ err: error }, 'the record of redirector addresses cannot be read; trying again');
    return false;
  }
}
