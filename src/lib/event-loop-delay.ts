import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Registry } from '@prometheus-io/client';
import { gauge } from './labelled-gauge.ts';

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
