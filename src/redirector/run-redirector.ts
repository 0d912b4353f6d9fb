import { createCluster } from '../kubernetes/cluster-client.ts';
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
import { untilEndpointsMoved } from './endpoints-moved.ts';

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
  await clock.sleep(config.lingerMs);
  const cluster = createCluster(withDeadline(transport, readDeadlineMs), 'projectdomain-redirector');
  const { systemNamespace, lingerAtMostMs } = config;
  if (addresses.length > 0)
    await untilEndpointsMoved({ cluster, systemNamespace, addresses, clock, log }, lingerAtMostMs);
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
