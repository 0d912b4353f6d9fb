import { Counter, Histogram, Registry } from '@prometheus-io/client';
import type { CacheFigures, DnsCheckCost } from '../lib/gauges.ts';
import { cacheGauges, dnsPacketCounter, gauge, readyGauge } from '../lib/gauges.ts';
import type { LookupResult } from '../use-cases/lookup-queue.ts';
import type { ProcessMetrics } from '../lib/process-metrics.ts';
import { createProcessMetrics } from '../lib/process-metrics.ts';

/** The API server's metrics. */
export interface ApiMetrics extends ProcessMetrics {
  readonly served: (request: { readonly route: string | null; readonly status: number; readonly ms: number }) => void;
  readonly decided: (decision: {
    readonly kind: string;
    readonly degraded: boolean;
    readonly banBegins: boolean;
  }) => void;
  /** an account has used so much of a window */
  readonly quotaReached: (notice: { readonly window: string; readonly percent: number }) => void;
  /** what a limit that is tried out on a plan said of a request */
  readonly shadowed: (shadow: { readonly plan: string; readonly kind: string }) => void;
  /** one attempt to ask Redis */
  readonly attempted: (attempt: { readonly ms: number; readonly outcome: string }) => void;
  /** a session or a link in Redis that this installation did not write */
  readonly forged: () => void;
  readonly dnsPackets: (cost: Pick<DnsCheckCost, 'packetsTo'>) => void;
  /** a lookup in DNS on behalf of a request ended */
  readonly lookedUp: (result: LookupResult) => void;
  readonly text: () => Promise<string>;
}

export interface ApiMetricSources extends CacheFigures {
  readonly isReady: () => boolean;
  /** writes to the cluster on behalf of requests, by `running` and `waiting` */
  readonly writes: () => ReadonlyMap<string, number>;
  /** lookups in DNS on behalf of requests, by `running` and `waiting` */
  readonly lookups: () => ReadonlyMap<string, number>;
}

export function createApiMetrics(sources: ApiMetricSources): ApiMetrics {
  const registry = new Registry();
  const process = createProcessMetrics(registry);
  const registers = [registry];
  const requests = new Counter({
    name: 'projectdomain_api_requests_total',
    help: 'Requests by call and status.',
    labelNames: ['route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'projectdomain_api_request_seconds',
    help: 'Duration of requests by call.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers,
  });
  const decisions = new Counter({
    name: 'projectdomain_quota_decisions_total',
    help: 'Quota decisions by kind; degraded ones were made while Redis was unavailable.',
    labelNames: ['kind', 'degraded'],
    registers,
  });
  const bans = new Counter({
    name: 'projectdomain_bans_total',
    help: 'Bans begun by decisions of this process.',
    registers,
  });
  const reached = new Counter({
    name: 'projectdomain_quota_reached_total',
    help: 'Accounts that had used 80 or 100 percent of a window, each once a day for the day and once an hour for the minute.',
    labelNames: ['window', 'percent'],
    registers,
  });
  const shadow = new Counter({
    name: 'projectdomain_quota_shadow_total',
    help: "What a plan's shadowRateLimit would have decided: allowed or limited.",
    labelNames: ['plan', 'kind'],
    registers,
  });
  const forgeries = new Counter({
    name: 'projectdomain_session_forgeries_total',
    help: 'Sessions and hand-over links found in Redis that this installation did not write.',
    registers,
  });
  const redis = new Histogram({
    name: 'projectdomain_quota_redis_seconds',
    help: 'Time Redis took to decide, by outcome.',
    labelNames: ['outcome'],
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1],
    registers,
  });
  cacheGauges(registers, sources);
  gauge(registers, {
    name: 'projectdomain_api_writes',
    help: 'Writes to the cluster on behalf of requests: running, and waiting for their turn.',
    label: 'state',
    values: sources.writes,
  });
  const dnsPackets = dnsPacketCounter(registers);
  const lookups = new Counter({
    name: 'projectdomain_lookups_total',
    help: 'Lookups in DNS on behalf of requests, by result.',
    labelNames: ['result'],
    registers,
  });
  gauge(registers, {
    name: 'projectdomain_lookups',
    help: 'Lookups in DNS on behalf of requests: running, and waiting for their turn.',
    label: 'state',
    values: sources.lookups,
  });
  readyGauge(registers, { process: 'api', isReady: sources.isReady });
  return {
    ...process,
    served({ route, status, ms }) {
      requests.inc({ route: route ?? 'none', status });
      duration.observe({ route: route ?? 'none' }, ms / 1_000);
    },
    decided({ kind, degraded, banBegins }) {
      decisions.inc({ kind, degraded: String(degraded) });
      if (banBegins) bans.inc();
    },
    quotaReached: ({ window, percent }) => reached.inc({ window, percent }),
    shadowed: ({ plan, kind }) => shadow.inc({ plan, kind }),
    attempted: ({ ms, outcome }) => redis.observe({ outcome }, ms / 1_000),
    dnsPackets,
    forged: () => forgeries.inc(),
    lookedUp: (result) => lookups.inc({ result }),
    text: () => registry.metrics(),
  };
}
