import { Counter, Registry } from '@prometheus-io/client';
import type { CacheFigures } from '../lib/gauges.ts';
import { cacheGauges, readyGauge } from '../lib/gauges.ts';
import type { ProcessMetrics } from '../lib/process-metrics.ts';
import { createProcessMetrics } from '../lib/process-metrics.ts';

export interface RedirectorMetrics extends ProcessMetrics {
  readonly served: (status: number) => void;
  readonly text: () => Promise<string>;
}

export interface RedirectorMetricSources extends CacheFigures {
  readonly isReady: () => boolean;
}

export function createRedirectorMetrics({ isReady, ...caches }: RedirectorMetricSources): RedirectorMetrics {
  const registry = new Registry();
  const process = createProcessMetrics(registry);
  const registers = [registry];
  const requests = new Counter({
    name: 'projectdomain_redirects_total',
    help: 'Requests to redirecting hostnames by status.',
    labelNames: ['status'],
    registers,
  });
  cacheGauges(registers, caches);
  readyGauge(registers, { process: 'redirector', isReady });
  return { ...process, served: (status) => requests.inc({ status }), text: () => registry.metrics() };
}
