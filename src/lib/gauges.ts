import type { Registry } from '@prometheus-io/client';
import { Gauge } from '@prometheus-io/client';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Values by label, read when metrics are asked for; what takes long to count is counted in slices. */
export type GaugeValues = ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>;

export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly values: () => GaugeValues;
}

/** A gauge whose values are read when metrics are asked for. */
export function gauge(registers: Registry[], { name, help, label, values }: GaugeSource): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers,
    async collect() {
      const read = await values();
      this.reset();
      read.forEach((value, key) => this.set({ [label]: key }, value));
    },
  });
}

export interface Readiness {
  readonly process: 'operator' | 'api' | 'redirector';
  readonly isReady: () => boolean;
}

/** Readiness as a figure: an alert cannot ask /readyz. */
export function readyGauge(registers: Registry[], { process, isReady }: Readiness): void {
  gauge(registers, {
    name: 'projectdomain_ready',
    help: 'Whether the process is ready: 1 or 0.',
    label: 'process',
    values: () => new Map([[process, isReady() ? 1 : 0]]),
  });
}

/** How often the loop is looked at, milliseconds; a hold is known to about that. */
const resolution = 10;
const nanoseconds = 1e-9;

/** For how long the event loop was held since the figures were last read: nothing else happens in a process meanwhile. */
export function eventLoopGauge(registers: Registry[]): void {
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  // What is measured is the time between two looks, so the interval itself is no delay.
  const seconds = (value: number) => Math.max(0, value * nanoseconds - resolution / 1_000) || 0;
  gauge(registers, {
    name: 'projectdomain_event_loop_delay_seconds',
    help: 'How long the event loop was held since the last scrape: at most, and in 99 of 100 turns.',
    label: 'statistic',
    values: () => {
      const seen = new Map([
        ['max', seconds(delays.max)],
        ['p99', seconds(delays.percentile(99))],
      ]);
      delays.reset();
      return seen;
    },
  });
}
