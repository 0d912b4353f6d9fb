import { Counter, Histogram, Registry } from '@prometheus-io/client';
import { eventLoopGauge, readyGauge } from '../lib/gauges.ts';
import { createProcessMetrics } from '../lib/process-metrics.ts';

export interface VantageMetrics {
  readonly answered: (status: number) => void;
  readonly checked: (ms: number) => void;
  readonly text: () => Promise<string>;
}

export function createVantageMetrics(isReady: () => boolean): VantageMetrics {
  const registry = new Registry();
  createProcessMetrics(registry);
  const registers = [registry];
  const requests = new Counter({
    name: 'projectdomain_vantage_requests_total',
    help: 'Requests for checks by status.',
    labelNames: ['status'],
    registers,
  });
  const checks = new Histogram({
    name: 'projectdomain_dns_check_seconds',
    help: 'Duration of DNS checks.',
    buckets: [0.01, 0.05, 0.2, 0.5, 1, 2, 4, 6],
    registers,
  });
  eventLoopGauge(registers);
  readyGauge(registers, { process: 'vantage', isReady });
  return {
    answered: (status) => requests.inc({ status }),
    checked: (ms) => checks.observe(ms / 1_000),
    text: () => registry.metrics(),
  };
}
