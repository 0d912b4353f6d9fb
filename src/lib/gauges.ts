import type { Registry } from '@prometheus-io/client';
import { Counter, Gauge, Histogram } from '@prometheus-io/client';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Values by label, read on each scrape. */
export type GaugeValues = ReadonlyMap<string, number>;

interface Described {
  readonly name: string;
  readonly help: string;
}

export interface GaugeSource extends Described {
  readonly label: string;
  readonly values: () => GaugeValues;
}

/** One series of a gauge: its labels, by their names, and its value. */
export interface GaugeRow {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A gauge of several labels whose rows are read on each scrape. */
export interface TableSource extends Described {
  readonly labels: readonly string[];
  readonly rows: () => readonly GaugeRow[];
}

/** A gauge whose values are read on each scrape. */
export function gauge(registers: Registry[], { label, values, ...described }: GaugeSource): void {
  const rows = () => [...values()].map(([key, value]) => ({ labels: { [label]: key }, value }));
  gaugeTable(registers, { ...described, labels: [label], rows });
}

/** A gauge without labels, whose value is read on each scrape. */
export function figure(registers: Registry[], source: Described & { readonly value: () => number }): void {
  const { value, ...described } = source;
  gaugeTable(registers, { ...described, labels: [], rows: () => [{ labels: {}, value: value() }] });
}

/** The same for a gauge of several labels. */
export function gaugeTable(registers: Registry[], { name, help, labels, rows }: TableSource): void {
  new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers,
    collect() {
      this.reset();
      for (const row of rows()) this.set(row.labels, row.value);
    },
  });
}

/** The cost of one DNS check. */
export interface DnsCheckCost {
  readonly ms: number;
  /** by kind of server */
  readonly packetsTo: Readonly<Record<string, number>>;
}

/** How long DNS checks take and how many packets they send, in every process that makes them. */
export function dnsCheckMetrics(registers: Registry[]): (cost: DnsCheckCost) => void {
  const checks = new Histogram({
    name: 'projectdomain_dns_check_seconds',
    help: 'Duration of DNS checks.',
    buckets: [0.01, 0.05, 0.2, 0.5, 1, 2, 4, 6],
    registers,
  });
  const countPackets = dnsPacketCounter(registers);
  return (cost) => {
    checks.observe(cost.ms / 1_000);
    countPackets(cost);
  };
}

export interface Readiness {
  readonly process: 'operator' | 'api' | 'redirector' | 'vantage';
  readonly isReady: () => boolean;
}

/** How many packets DNS checks send, by kind of server. */
export function dnsPacketCounter(registers: Registry[]): (cost: Pick<DnsCheckCost, 'packetsTo'>) => void {
  const packets = new Counter({
    name: 'projectdomain_dns_packets_total',
    help: 'Packets that DNS checks sent, by kind of server.',
    labelNames: ['server'],
    registers,
  });
  return ({ packetsTo }) => {
    for (const [server, count] of Object.entries(packetsTo)) packets.inc({ server }, count);
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
export function cacheGauges(registers: Registry[], { staleness, objects }: CacheFigures): void {
  gauge(registers, {
    name: 'projectdomain_reflector_staleness_seconds',
    help: 'Time since the kube-apiserver last sent anything about a kind.',
    label: 'kind',
    values: staleness,
  });
  gauge(registers, {
    name: 'projectdomain_cache_objects',
    help: 'Objects in the cache by kind.',
    label: 'kind',
    values: objects,
  });
}

/** Readiness as a metric: an alert cannot query /readyz. */
export function readyGauge(registers: Registry[], { process, isReady }: Readiness): void {
  gauge(registers, {
    name: 'projectdomain_ready',
    help: 'Whether the process is ready: 1 or 0.',
    label: 'process',
    values: () => new Map([[process, isReady() ? 1 : 0]]),
  });
}

/** Sampling interval in milliseconds, and so the accuracy of the measured delay. */
const resolution = 10;
const nanoseconds = 1e-9;

/** How long the event loop was blocked since the last scrape: nothing else happens in a process meanwhile. */
export function eventLoopGauge(registers: Registry[]): void {
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  // The time between two samples is measured, so the interval itself is no delay.
  const seconds = (value: number) => Math.max(0, value * nanoseconds - resolution / 1_000) || 0;
  gauge(registers, {
    name: 'projectdomain_event_loop_delay_seconds',
    help: 'How long the event loop was blocked since the last scrape: maximum and 99th percentile.',
    label: 'statistic',
    values: () => {
      const measured = new Map([
        ['max', seconds(delays.max)],
        ['p99', seconds(delays.percentile(99))],
      ]);
      delays.reset();
      return measured;
    },
  });
}
