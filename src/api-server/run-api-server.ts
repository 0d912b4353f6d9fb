import { randomInt } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { createDashboard } from '../dashboard/dashboard-app.ts';
import { createHandoverLinks } from '../dashboard/links/redis-handover-links.ts';
import { createSessions } from '../dashboard/sessions/redis-sessions.ts';
import type { CheckCost } from '../dns/lookup/dns-checker.ts';
import { checkerOptions, createDnsChecker } from '../dns/lookup/dns-checker.ts';
import { dnsSettings } from '../dns/verdict/desired-dns.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { maintainClassCounts } from '../kubernetes/class-counts.ts';
import { createCluster } from '../kubernetes/cluster-client.ts';
import { connect } from '../kubernetes/connection.ts';
import type { Cluster } from '../kubernetes/kubernetes-port.ts';
import { observed, traced } from '../kubernetes/observed-transport.ts';
import type { Store } from '../kubernetes/store.ts';
import { createTransport, withDeadline } from '../kubernetes/transport.ts';
import { cacheFigures } from '../kubernetes/watch-stores.ts';
import type { Clock } from '../lib/clock.ts';
import { aborted } from '../lib/clock.ts';
import { createTracer } from '../lib/create-tracer.ts';
import { serveHealth } from '../lib/health-server.ts';
import { serveUntil } from '../lib/http-server.ts';
import type { Log } from '../lib/log.ts';
import { connectRedis } from '../lib/redis/redis-client.ts';
import { createTimeSlices } from '../lib/time-slices.ts';
import { publicRoots } from '../own-certificate/public-roots.ts';
import { createLimiter } from '../quota/limiter.ts';
import type { Decision } from '../quota/quota-port.ts';
import { createRedisScriptClient, shards } from '../quota/redis-script-client.ts';
import { createShardedLimiter } from '../quota/sharded-limiter.ts';
import { recordValues } from '../rules/dns-target.ts';
import { isServed } from '../rules/domain-head.ts';
import { driftInterval } from '../rules/check-schedule.ts';
import type { AuthorizeOptions } from '../server/authorize.ts';
import { createAuthorize } from '../server/authorize.ts';
import { createApp } from '../server/http-app.ts';
import { createAnswerOnce } from '../server/idempotency/answer-once.ts';
import { createKeptAnswers } from '../server/idempotency/redis-kept-answers.ts';
import type { ApiDependencies, Caller } from '../use-cases/api-dependencies.ts';
import type { DnsLookup } from '../use-cases/dns-lookup-port.ts';
import { createCursors } from '../use-cases/cursors.ts';
import { createDomainOrders } from '../use-cases/domain-orders.ts';
import { createStreamSlots } from '../use-cases/event-streams.ts';
import { createBulkTurns } from '../use-cases/bulk/bulk-turns.ts';
import { createLongLists } from '../use-cases/find-domains.ts';
import type { Lookups } from '../use-cases/lookup-queue.ts';
import { createLookups } from '../use-cases/lookup-queue.ts';
import { createRememberedViews } from '../use-cases/remembered-views.ts';
import { createWrites } from '../use-cases/writes/writes.ts';
import { english } from '../dashboard/words/catalogue.ts';
import { createWords } from '../dashboard/words/words.ts';
import { createApiListener } from './api-listener.ts';
import { createApiStores, startApiWatches } from './api-stores.ts';
import { appOptions } from './app-options.ts';
import { awaitKey, awaitIdentity } from './await-credentials.ts';
import type { ApiConfig } from './config.ts';
import { createDnsLookup, createIssuerAccounts } from './dns-lookup.ts';
import type { ApiMetrics } from './metrics.ts';
import { createApiMetrics } from './metrics.ts';

export interface ApiServerDependencies {
  readonly config: ApiConfig;
  readonly clock: Clock;
  readonly log: Log;
}

const fieldManager = 'projectdomain-api';
/** The caller is waiting: failing soon, to be tried again, is better than a long wait. Every write may be repeated. */
const writeDeadlineMs = 10_000;
/** To the kube-apiserver: more than changes may run at a time. */
const connections = 40;

/** Fills the caches, waits for the HMAC key, serves until the signal, and stops without losing a request. */
export async function runApiServer({ config, clock, log }: ApiServerDependencies, signal: AbortSignal): Promise<void> {
  const tracer = await createTracer('projectdomain-api', { env: process.env, log });
  const stores = createApiStores((error) => log.error({ err: error }, 'a cache listener failed'));
  const served = countServed(stores.domains);
  const ended = new AbortController();
  let reflectors: ReturnType<typeof startApiWatches> = new Map();
  let waitingFor: string | null = 'the operator has not handed over credentials yet';
  const notReady = () => (signal.aborted ? 'stopping' : waitingFor);
  const writes = createWrites();
  let lookups: Lookups | null = null;
  const metrics = createApiMetrics({
    writes: () => writes.queue.counts(),
    lookups: () => lookups?.counts() ?? new Map(),
    isReady: () => notReady() === null,
    ...cacheFigures(() => reflectors),
  });
  const stopHealth = await serveHealth(config.metricsAddress, {
    notReady,
    metrics: () => metrics.text(),
  });
  if (config.kubeconfig === null) await awaitIdentity(clock, signal);
  const transport = observed(
    traced(createTransport(await connect(config.kubeconfig ?? undefined), connections), tracer),
    metrics.kubeRequest,
    clock.elapsed,
  );
  reflectors = startApiWatches(
    stores,
    { transport, log, clock, slices: createTimeSlices(clock.elapsed) },
    ended.signal,
  );
  waitingFor = 'the caches are being filled';
  await Promise.race([Promise.all([...reflectors.values()].map(({ synced }) => synced)), aborted(signal)]);
  waitingFor = `the HMAC key does not exist yet: ${config.hmacFile}`;
  const secret = await awaitKey(config.hmacFile, clock, signal);
  const redis = connectRedis(config.redis, log);
  const limiterOf = (shard: number) =>
    createLimiter({
      client: createRedisScriptClient(redis, shard),
      replicas: () => config.replicas,
      clock,
      observe: metrics.attempted,
      shards: redis.isCluster ? shards : 1,
    });
  const limiter = redis.isCluster ? createShardedLimiter(limiterOf) : limiterOf(0);
  const cluster = createCluster(withDeadline(transport, writeDeadlineMs), fieldManager);
  lookups = createLookups({ dns: dnsLookupOf({ config, clock, log, metrics }, cluster), observe: metrics.lookedUp });
  const inRedis = { redis, secret, now: clock.now, forged: forgeryNotice(metrics, log) };
  const dependencies: ApiDependencies = Object.freeze({
    caches: stores,
    cluster,
    lookups,
    driftInterval: () => driftInterval({ served: served(), ...config }),
    handoverLinks: createHandoverLinks(inRedis),
    isIssuedByPublicRoot: publicRoots(rootCertificates),
    writes,
    streams: createStreamSlots(),
    cursors: createCursors(secret),
    orders: createDomainOrders(stores.domains),
    views: createRememberedViews(),
    longLists: createLongLists(),
    bulks: createBulkTurns(),
    settings: Object.freeze({
      ...dnsSettings(config),
      wildcards: config.wildcards,
      records: recordValues(secret, config.cnameDomain),
    }),
    limiter,
    shadowed: ({ account }: Caller, { kind }: Decision) => metrics.shadowed({ plan: account.spec.plan, kind }),
    now: clock.now,
    random: randomInt,
    stopping: signal,
  });
  const sessions = createSessions(inRedis);
  const options = appOptions(dependencies, config, { metrics, log, tracer });
  const app = createApp({
    ...options,
    answerOnce: createAnswerOnce({ ...inRedis, answers: createKeptAnswers(redis) }),
    pages: (mount) =>
      createDashboard({
        ...mount,
        dependencies: { ...dependencies, ...presentationOf(config), sessions },
      }),
  });
  const stopServing = await serveUntil(createApiListener(app, options, config), config.listen);
  const stopAuthorizing = await authorizeUntil(config, {
    ...options,
    served: metrics.served,
    failed: (error, requestId) => log.error({ err: error, requestId }, 'a request failed'),
  });
  waitingFor = null;
  log.info({ listen: config.listen, startedInMs: Math.round(performance.now()) }, 'serving');
  await aborted(signal);
  await clock.sleep(config.lingerMs);
  await Promise.all([stopServing(), stopAuthorizing()]);
  ended.abort();
  await Promise.all([limiter.close(), stopHealth(), transport.close(), tracer.close()]);
}

const presentationOf = ({ dashboard, publicUrl }: ApiConfig) => ({
  words: createWords(english),
  brand: dashboard,
  publicUrl,
});

/** Answers the proxies of the platform's other APIs, where there are any, until the function that it resolves to is called. */
function authorizeUntil(config: ApiConfig, options: Omit<AuthorizeOptions, 'apis'>): Promise<() => Promise<void>> {
  if (config.authorize === null) return Promise.resolve(() => Promise.resolve());
  const { listen, apis } = config.authorize;
  return serveUntil(createApiListener(createAuthorize({ ...options, apis }), options, config), listen);
}

/** Looks DNS up from this process: the operator may be another Pod, or away. */
function dnsLookupOf(
  { config, clock, log, metrics }: ApiServerDependencies & { readonly metrics: Pick<ApiMetrics, 'dnsPackets'> },
  cluster: Cluster,
): DnsLookup {
  const observe = (cost: CheckCost) => {
    metrics.dnsPackets(cost);
    const { hostname, packets, ms } = cost;
    log.debug({ hostname, packets, ms }, 'DNS was looked up');
  };
  return createDnsLookup({
    dns: createDnsChecker({ ...checkerOptions(config), observe }),
    settings: dnsSettings(config),
    accounts: createIssuerAccounts({ cluster, issuer: config.issuer, clock, log }),
  });
}

/** Counts records of sessions, links and answers that somebody else wrote, and logs the first one. */
function forgeryNotice(metrics: ApiMetrics, log: Log): () => void {
  let isLogged = false;
  return () => {
    metrics.forged();
    if (!isLogged)
      log.error(
        {},
        'Redis contains a session, a link or an answer that this installation did not write: somebody else may have write access',
      );
    isLogged = true;
  };
}

/** Counts the served domains with every change, so that reading the count costs nothing; the store must be empty at first. */
export function countServed(domains: Pick<Store<ProjectDomain>, 'subscribe'>): () => number {
  const counts = maintainClassCounts(domains, (domain) => (isServed(domain) ? ['served'] : []), ['served']);
  return () => counts().get('served') ?? 0;
}
