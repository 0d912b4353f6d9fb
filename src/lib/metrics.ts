import type { LabelValues } from '@prometheus-io/client';
import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';

type Labels<L extends string> = Readonly<Record<L, string | number>>;

/** Values by label, read on each scrape. */
export type GaugeValues = ReadonlyMap<string, number>;

/** One series of a gauge: its labels, by their names, and its value. */
export interface GaugeRow {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The metrics of a process: each is defined by its name and help, and is observed by the function that comes back. */
export interface Metrics {
  readonly counter: <L extends string = never>(
    name: string,
    help: string,
    labels?: readonly L[],
  ) => (labels: Labels<L>, by?: number) => void;
  /** Observed in milliseconds, told in seconds; `buckets` in seconds. */
  readonly histogram: <L extends string = never>(
    name: string,
    help: string,
    buckets: readonly number[],
    labels?: readonly L[],
  ) => (ms: number, labels: Labels<L>) => void;
  /** Its value is read on each scrape. */
  readonly figure: (name: string, help: string, value: () => number) => void;
  /** The same for a gauge with a label. */
  readonly gauge: (name: string, help: string, label: string, values: () => GaugeValues) => void;
  /** The same for a gauge of several labels. */
  readonly table: (name: string, help: string, labels: readonly string[], rows: () => readonly GaugeRow[]) => void;
  /** In Prometheus' text format. */
  readonly text: () => Promise<string>;
}

/** Metrics in this registry; none at first. */
export function createMetrics(registry = new Registry()): Metrics {
  const registers = [registry];
  const table: Metrics['table'] = (name, help, labels, rows) => {
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
  };
  return {
    counter: <L extends string>(name: string, help: string, labels: readonly L[] = []) => {
      const counter = new Counter({ name, help, labelNames: [...labels], registers });
      return (of: Labels<L>, by = 1) => counter.inc(of as LabelValues<L>, by);
    },
    histogram: <L extends string>(
      name: string,
      help: string,
      buckets: readonly number[],
      labels: readonly L[] = [],
    ) => {
      const histogram = new Histogram({ name, help, buckets: [...buckets], labelNames: [...labels], registers });
      return (ms: number, of: Labels<L>) => histogram.observe(of as LabelValues<L>, ms / 1_000);
    },
    figure: (name, help, value) => table(name, help, [], () => [{ labels: {}, value: value() }]),
    gauge: (name, help, label, values) =>
      table(name, help, [label], () => [...values()].map(([key, value]) => ({ labels: { [label]: key }, value }))),
    table,
    text: () => registry.metrics(),
  };
}
