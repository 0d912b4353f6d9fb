import type { CacheFigures } from '../lib/common-metrics.ts';
import { cacheGauges, dnsPacketCounter, readyGauge } from '../lib/common-metrics.ts';
import type { GaugeValues } from '../lib/metrics.ts';
import { createProcessMetrics } from '../lib/process-metrics.ts';
import type { Decision } from '../quota/quota-port.ts';
import type { Served } from '../server/app-options.ts';
import type { LookupResult } from '../use-cases/lookup-queue.ts';

/** Values that are read on each scrape. */
interface ApiMetricSources extends CacheFigures {
  readonly isReady: () => boolean;
  /** writes to the cluster on behalf of requests, by `running` and `waiting` */
  readonly writes: () => GaugeValues;
  /** lookups in DNS on behalf of requests, by `running` and `waiting` */
  readonly lookups: () => GaugeValues;
}

export type ApiMetrics = ReturnType<typeof createApiMetrics>;

/** The API server's metrics. */
export function createApiMetrics(sources: ApiMetricSources) {
  const metrics = createProcessMetrics();
  const { counter, histogram, gauge } = metrics;
  cacheGauges(metrics, sources);
  readyGauge(metrics, 'api', sources.isReady);
  gauge(
    'projectdomain_api_writes',
    'Writes to the cluster on behalf of requests: running, and waiting for their turn.',
    'state',
    sources.writes,
  );
  gauge(
    'projectdomain_lookups',
    'Lookups in DNS on behalf of requests: running, and waiting for their turn.',
    'state',
    sources.lookups,
  );
  const requests = counter('projectdomain_api_requests_total', 'Requests by call and status.', ['route', 'status']);
  const duration = histogram(
    'projectdomain_api_request_seconds',
    'Duration of requests by call.',
    [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    ['route'],
  );
  const decisions = counter(
    'projectdomain_quota_decisions_total',
    'Quota decisions by kind; degraded ones were made while Redis was unavailable.',
    ['kind', 'degraded'],
  );
  const reached = counter(
    'projectdomain_quota_reached_total',
    'Accounts that had used 80 or 100 percent of a window, each once a day for the day and once an hour for the minute.',
    ['window', 'percent'],
  );
  const bans = counter('projectdomain_bans_total', 'Bans begun by decisions of this process.');
  const redis = histogram(
    'projectdomain_quota_redis_seconds',
    'Time Redis took to decide, by outcome.',
    [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1],
    ['outcome'],
  );
  const forgeries = counter(
    'projectdomain_session_forgeries_total',
    'Sessions, hand-over links and answers found in Redis that this installation did not write.',
  );
  const lookups = counter('projectdomain_lookups_total', 'Lookups in DNS on behalf of requests, by result.', [
    'result',
  ]);
  return {
    ...metrics,
    served: ({ route, status, ms }: Pick<Served, 'route' | 'status' | 'ms'>) => {
      requests({ route: route ?? 'none', status });
      duration(ms, { route: route ?? 'none' });
    },
    decided: ({ kind, degraded, banBegins }: Pick<Decision, 'kind' | 'degraded' | 'banBegins'>) => {
      decisions({ kind, degraded: String(degraded) });
      if (banBegins) bans({});
    },
    /** an account has used so much of a window */
    quotaReached: ({ window, percent }: { readonly window: string; readonly percent: number }) =>
      reached({ window, percent }),
    /** what a limit that is tried out on a plan said of a request */
    shadowed: counter(
      'projectdomain_quota_shadow_total',
      "What a plan's shadowRateLimit would have decided: allowed or limited.",
      ['plan', 'kind'],
    ),
    /** one attempt to ask Redis */
    attempted: ({ ms, outcome }: { readonly ms: number; readonly outcome: string }) => redis(ms, { outcome }),
    /** a session, a link or an answer in Redis that this installation did not write */
    forged: () => forgeries({}),
    dnsPackets: dnsPacketCounter(metrics),
    /** a lookup in DNS on behalf of a request ended */
    lookedUp: (result: LookupResult) => lookups({ result }),
  };
}
