import { hostname } from 'node:os';
import { becomeLeader } from '../controller-runtime/leader-election.ts';
import { createReconcileWrites } from '../controller-runtime/reconcile-writes.ts';
import { createCluster } from '../kubernetes/cluster-client.ts';
import { connect, identityFolder } from '../kubernetes/connection.ts';
import { createEventRecorder } from '../kubernetes/event-recorder.ts';
import { createLeaseStore } from '../kubernetes/lease-store.ts';
import type { Reflector } from '../kubernetes/reflector.ts';
import type { ObservedRequest } from '../kubernetes/observed-transport.ts';
import { observed, traced } from '../kubernetes/observed-transport.ts';
import { createTransport } from '../kubernetes/transport.ts';
import { cacheFigures } from '../kubernetes/watch-stores.ts';
import { createTimeSlices } from '../lib/time-slices.ts';
import { connectTriggers } from './connect-triggers.ts';
import { runControllers, createQueues, queueFigures, workersOf } from './work-queues.ts';
import { operatorCachedObject, operatorWritten, startOperatorWatches } from './operator-watches.ts';
import { createRoutes } from '../routing/create-routes.ts';
import { createOperatorStores } from './operator-stores.ts';
import { countsOf } from './object-counts.ts';
import { rememberChecks } from './check-freshness.ts';
import { measureProgress, createOperatorMetrics } from './metrics.ts';
import { provideSidecarCredentials } from './sidecar-credentials.ts';
import type { Phase } from './operator-readiness.ts';
import { untilListed, notReady, watchCertManager } from './operator-readiness.ts';
import { createRefusedWrites } from '../controllers/refused-writes.ts';
import { buildDependencies } from './build-dependencies.ts';
import { aborted } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import type { OperatorConfig } from './config.ts';
import { driftInterval } from '../rules/check-schedule.ts';
import { serveHealth } from '../lib/health-server.ts';
import type { Log } from '../lib/log.ts';
import { createTracer } from '../lib/create-tracer.ts';

const fieldManager = 'projectdomain-operator';
/** How long a start waits for cert-manager's kinds: they may be absent, or unavailable for hours. */
const certManagerWithinMs = 10_000;

export interface OperatorDependencies {
  readonly config: OperatorConfig;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Fills the caches, becomes leader, and reconciles until the signal or until the lease is lost. Gives the exit status.
 */
export async function runOperator({ config, clock, log }: OperatorDependencies, signal: AbortSignal): Promise<number> {
  if (config.resolvers.length < 2) log.warn({}, 'broken DNSSEC stops no order: that takes two resolvers that validate');
  const connection = await connect(config.kubeconfig ?? undefined);
  const tracer = await createTracer('projectdomain-operator', { env: process.env, log });
  const writes = createReconcileWrites();
  const answered = (request: ObservedRequest) => {
    metrics.kubeRequest(request);
    writes.note(request);
  };
  const transport = observed(traced(createTransport(connection), tracer), answered, clock.elapsed);
  const routes = createRoutes(config.routing);
  const stores = createOperatorStores(routes, (error) => log.error({ err: error }, 'a cache listener failed'));
  let reflectors: ReadonlyMap<string, Reflector> = new Map();
  const cluster = createCluster(transport, fieldManager, {
    cachedObject: operatorCachedObject({ routes, stores }),
    written: operatorWritten(routes, () => reflectors),
  });
  const readyToLead = Promise.withResolvers<void>();
  const handover = { transport, cluster, config, identity: identityFolder, ready: readyToLead.promise, clock, log };
  const handedOver = provideSidecarCredentials(handover, signal);
  const workers = workersOf(config);
  const queues = createQueues(clock, stores, workers);
  const { recentChecks, freshness } = rememberChecks(stores.domains);
  const slices = createTimeSlices(clock.elapsed);
  // With its own connections, renewing the lease never waits behind other calls.
  const ownConnection = createTransport(connection);
  const leaseStore = createLeaseStore(createCluster(ownConnection, fieldManager), {
    namespace: config.systemNamespace,
    name: 'projectdomain-operator',
  });
  let phase: Phase = 'syncing';
  reflectors = startOperatorWatches({ routes, stores }, { transport, log, clock, slices }, signal);
  const certManager = watchCertManager(reflectors);
  const metrics = createOperatorMetrics({
    isReady: () => notReady(reflectors, phase) === null,
    isLeading: () => phase === 'leading',
    certManagerUnavailable: certManager.isUnavailable,
    ...countsOf(stores, { freshness, now: clock.now }),
    driftInterval: () => driftInterval({ ...stores.failureCounts(), ...config }),
    ...cacheFigures(() => reflectors),
    ...queueFigures(queues),
  });
  stores.domains.subscribe((change) => {
    if (phase === 'leading') measureProgress(change, metrics);
  });
  const stopHealth = await serveHealth(config.metricsAddress, {
    notReady: () => notReady(reflectors, phase),
    metrics: () => metrics.text(),
  });
  await Promise.race([untilListed(reflectors), untilAborted(signal)]);
  await Promise.race([certManager.listed, clock.sleep(certManagerWithinMs, signal)]);
  if (certManager.isUnavailable())
    log.warn({}, 'cert-manager does not answer: no certificate is ordered until it does');
  phase = 'standby';
  readyToLead.resolve();
  log.info({ startedInMs: Math.round(performance.now()) }, 'ready to lead');
  const identity = `${hostname()}-${process.pid}`;
  const leadership = await becomeLeader({ identity, store: leaseStore, clock, log }, signal);
  phase = 'starting';
  const dependencies = await buildDependencies({
    config,
    cluster,
    stores,
    routes,
    clock,
    certManagerUnavailable: certManager.isUnavailable,
    observeDnsCheck: (cost) => {
      metrics.dnsCheck(cost);
      const { hostname, packets, ms } = cost;
      log.debug({ hostname, packets, ms }, 'DNS was checked');
    },
    observeVantagePoint: metrics.vantageAnswer,
    observeTokenAnswer: metrics.tokenAnswer,
    tracer,
    recentChecks,
    observeRecordFound: metrics.verified,
    observeRevocation: metrics.revocation,
    recordEvent: createEventRecorder({ transport, log, clock }, signal),
    refusedWrites: createRefusedWrites({
      elapsed: clock.elapsed,
      observe: metrics.refusedWrite,
      isOfAccount: (name) => stores.namespaces.has({ namespace: '', name }),
    }),
  });
  phase = 'leading';
  recentChecks.begin(clock.now());
  log.info({ domains: stores.domains.size }, 'reconciling');
  const { settings, authorityHealth } = dependencies;
  connectTriggers({ stores, queues, settings, authorityHealth, clock, slices, log }, signal);
  const observe = metrics.reconcile;
  const running = runControllers(
    { dependencies, queues, workers, slices, log, clock, writes, tracer, observe },
    signal,
  );
  const ending = await Promise.race([leadership.lost.then(() => 'lost'), running.then(() => 'stopped')]);
  if (ending === 'lost') {
    log.error({}, 'the leader lease is lost; exiting so that two leaders never write');
    return 1;
  }
  await leadership.release();
  await handedOver;
  await Promise.all([stopHealth(), transport.close(), ownConnection.close(), tracer.close()]);
  return 0;
}

/** Rejects with the signal's reason once it aborts; never resolves. */
async function untilAborted(signal: AbortSignal): Promise<never> {
  await aborted(signal);
  throw signal.reason as Error;
}
