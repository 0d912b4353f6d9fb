import { hostname } from 'node:os';
import { becomeLeader } from '../engine/leader.ts';
import { createCluster } from '../kube/client.ts';
import { connect } from '../kube/connection.ts';
import { createEventRecorder } from '../kube/events.ts';
import { identityFolder } from '../kube/in-cluster.ts';
import { createLeaseStore } from '../kube/lease.ts';
import { observed } from '../kube/observed.ts';
import { createTransport } from '../kube/transport.ts';
import { createTimeSlices } from '../runtime/slices.ts';
import { connectTriggers, runControllers } from './controllers.ts';
import { createQueues } from './queues.ts';
import { cachedObjectIn, startWatching } from './start-watching.ts';
import { createOperatorStores } from './stores.ts';
import { countsOf } from './counts.ts';
import { measureProgress } from './progress.ts';
import { provideSidecarCredentials } from './hand-over.ts';
import type { Phase } from './readiness.ts';
import { untilListed, notReady, watchCertManager } from './readiness.ts';
import { buildDependencies, redirectorOf } from './world.ts';
import type { Clock } from '../runtime/clock.ts';
import type { OperatorConfig } from '../runtime/config.ts';
import { serveHealth } from '../runtime/health.ts';
import type { Log } from '../runtime/log.ts';
import { loggedError } from '../runtime/log.ts';
import { createOperatorMetrics } from '../runtime/metrics.ts';

const fieldManager = 'projectdomain-operator';
/** How long a start waits for cert-manager's kinds: they may be absent, or away for hours. */
const certManagerWithinMs = 10_000;

export interface OperatorDependencies {
  readonly config: OperatorConfig;
  readonly clock: Clock;
  readonly log: Log;
}

/** Reads the configuration, builds the rooms, leads, reconciles, and ends on a signal or when the lease is lost. */
export async function runOperator({ config, clock, log }: OperatorDependencies, signal: AbortSignal): Promise<number> {
  const connection = await connect(config.kubeconfig ?? undefined);
  const transport = observed(createTransport(connection), (request) => metrics.kubeRequest(request), clock.elapsed);
  const stores = createOperatorStores((error) => log.error({ error: loggedError(error) }, 'a listener of a cache failed'));
  const cluster = createCluster(transport, fieldManager, cachedObjectIn(stores));
  const begun = Promise.withResolvers<void>();
  const handing = { transport, cluster, config, identity: identityFolder, ready: begun.promise, clock, log };
  const handingOver = provideSidecarCredentials(handing, signal);
  const queues = createQueues(clock, stores);
  const slices = createTimeSlices(clock.elapsed);
  let phase: Phase = 'syncing';
  const reflectors = startWatching({ transport, stores, log, clock, slices }, signal);
  const certManager = watchCertManager(reflectors);
  const metrics = createOperatorMetrics({
    isReady: () => notReady(reflectors, phase) === null,
    isLeading: () => phase === 'leading',
    certManagerUnavailable: certManager.isAway,
    ...countsOf(stores, { now: clock.now, slices }),
    staleness: () => new Map([...reflectors].map(([kind, reflector]) => [kind, reflector.staleness() / 1_000])),
    depth: () => new Map(Object.entries(queues).map(([name, queue]) => [name, queue.depth()])),
    slow: () => new Map(Object.entries(queues).map(([name, queue]) => [name, queue.slow()])),
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
  if (certManager.isAway()) log.warn({}, 'cert-manager does not answer: no certificate is ordered until it does');
  phase = 'standby';
  begun.resolve();
  log.info({ startedInMs: Math.round(performance.now()) }, 'ready to lead');
  // Renewing the lease waits behind no other call.
  const ownConnection = createTransport(connection);
  const store = createLeaseStore(
    createCluster(ownConnection, fieldManager, () => undefined),
    { namespace: config.systemNamespace, name: 'projectdomain-operator' },
  );
  const leadership = await becomeLeader({ identity: `${hostname()}-${process.pid}`, store, clock, log }, signal);
  phase = 'starting';
  const world = await buildDependencies({
    config,
    cluster,
    stores,
    clock,
    certManagerUnavailable: certManager.isAway,
    observeDnsCheck: metrics.dnsCheck,
    recordEvent: createEventRecorder(transport, log, clock.now),
  });
  phase = 'leading';
  log.info({ domains: stores.domains.size }, 'reconciling');
  connectTriggers({ stores, queues, redirector: redirectorOf(config), clock, slices, log }, signal);
  const running = runControllers({ world, queues, slices, log, clock, observe: metrics.visit }, signal);
  const ending = await Promise.race([leadership.lost.then(() => 'lost'), running.then(() => 'wound down')]);
  if (ending === 'lost') {
    log.error({}, 'the leader lease is lost; ending so that nobody writes twice');
    return 1;
  }
  await leadership.release();
  await handingOver;
  await Promise.all([stopHealth(), transport.close(), ownConnection.close()]);
  return 0;
}

/** Rejects with the signal's reason; it never resolves. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
