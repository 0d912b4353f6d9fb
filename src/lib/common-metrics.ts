import type { GaugeValues, Metrics } from './metrics.ts';

/** The cost of one DNS check. */
export interface DnsCheckCost {
  readonly ms: number;
  /** by kind of server */
  readonly packetsTo: Readonly<Record<string, number>>;
}

/** How long DNS checks take and how many packets they send, in every process that makes them. */
export function dnsCheckMetrics(metrics: Metrics): (cost: DnsCheckCost) => void {
  const buckets = [0.01, 0.05, 0.2, 0.5, 1, 2, 4, 6];
  const checks = metrics.histogram('projectdomain_dns_check_seconds', 'Duration of DNS checks.', buckets);
  const countPackets = dnsPacketCounter(metrics);
  return (cost) => {
    checks(cost.ms, {});
    countPackets(cost);
  };
}

/** How many packets DNS checks send, by kind of server. */
export function dnsPacketCounter(metrics: Metrics): (cost: Pick<DnsCheckCost, 'packetsTo'>) => void {
  const help = 'Packets that DNS checks sent, by kind of server.';
  const packets = metrics.counter('projectdomain_dns_packets_total', help, ['server']);
  return ({ packetsTo }) => {
    for (const [server, count] of Object.entries(packetsTo)) packets({ server }, count);
  };
}

/** What a process knows of its caches, by kind of object. */
export interface CacheFigures {
  /** seconds since the kube-apiserver last sent anything about a kind */
  readonly staleness: () => GaugeValues;
  /** how many objects are cached */
  readonly objects: () => GaugeValues;
}

/** How fresh and how big the caches are. */
export function cacheGauges(metrics: Metrics, { staleness, objects }: CacheFigures): void {
  const help = 'Time since the kube-apiserver last sent anything about a kind.';
  metrics.gauge('projectdomain_reflector_staleness_seconds', help, 'kind', staleness);
  metrics.gauge('projectdomain_cache_objects', 'Objects in the cache by kind.', 'kind', objects);
}

/** Readiness as a metric: an alert cannot query /readyz. */
export function readyGauge(
  metrics: Metrics,
  process: 'operator' | 'api' | 'redirector' | 'vantage',
  isReady: () => boolean,
): void {
  const values = () => new Map([[process, isReady() ? 1 : 0]]);
  metrics.gauge('projectdomain_ready', 'Whether the process is ready: 1 or 0.', 'process', values);
}
