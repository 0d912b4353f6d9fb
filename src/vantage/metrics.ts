import { Counter, Registry } from '@prometheus-io/client';
import type { DnsCheckCost } from '../lib/gauges.ts';
import { dnsCheckMetrics, readyGauge } from '../lib/gauges.ts';
import { createProcessMetrics } from '../lib/process-metrics.ts';

export interface VantageMetrics {
  readonly answered: (status: number) => void;
  readonly checked: (cost: DnsCheckCost) => void;
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
  const checked = dnsCheckMetrics(registers);
  readyGauge(registers, { process: 'vantage', isReady });
  return {
    answered: (status) => requests.inc({ status }),
    checked,
    text: () => registry.metrics(),
  };
}
