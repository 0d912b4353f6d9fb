import { Counter, Registry } from '@prometheus-io/client';
import { eventLoopGauge, gauge, readyGauge } from '../lib/gauges.ts';
import type { ProcessMetrics } from '../lib/process-metrics.ts';
import { createProcessMetrics } from '../lib/process-metrics.ts';

export interface RedirectorMetrics extends ProcessMetrics {
  readonly served: (status: number) => void;
  readonly text: () => Promise<string>;
}

export interface RedirectorMetricSources {
  readonly isReady: () => boolean;
  readonly staleness: () => ReadonlyMap<string, number>;
}

export function createRedirectorMetrics({ isReady, staleness }: RedirectorMetricSources): RedirectorMetrics {
  const registry = new Registry();
  const process = createProcessMetrics(registry);
  const registers = [registry];
  const requests = new Counter({
    name: 'projectdomain_redirects_total',
    help: 'Requests to redirecting hostnames by status.',
    labelNames: ['status'],
    registers,
  });
  gauge(registers, {
    name: 'projectdomain_reflector_staleness_seconds',
    help: 'Time since the kube-apiserver last sent anything about a kind.',
    label: 'kind',
    values: staleness,
  });
  eventLoopGauge(registers);
  readyGauge(registers, { process: 'redirector', isReady });
  return { ...process, served: (status) => requests.inc({ status }), text: () => registry.metrics() };
}
