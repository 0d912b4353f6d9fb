import type { Registry } from '@prometheus-io/client';
import { Gauge, Histogram } from '@prometheus-io/client';
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

/** How long DNS checks take, in every process that makes them. Takes milliseconds. */
export function dnsCheckHistogram(registers: Registry[]): (ms: number) => void {
  const checks = new Histogram({
    name: 'projectdomain_dns_check_seconds',
    help: 'Duration of DNS checks.',
    buckets: [0.01, 0.05, 0.2, 0.5, 1, 2, 4, 6],
    registers,
  });
  return (ms) => checks.observe(ms / 1_000);
}

export interface Readiness {
  readonly process: 'operator' | 'api' | 'redirector' | 'vantage';
  readonly isReady: () => boolean;
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
