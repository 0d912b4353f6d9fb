import { dnsCheckMetrics, readyGauge } from '../lib/common-metrics.ts';
import { createProcessMetrics } from '../lib/process-metrics.ts';

/** The vantage point's metrics. */
export function createVantageMetrics(isReady: () => boolean) {
  const metrics = createProcessMetrics();
  const help = 'Requests for checks by status.';
  const requests = metrics.counter('projectdomain_vantage_requests_total', help, ['status']);
  readyGauge(metrics, 'vantage', isReady);
  return { ...metrics, answered: (status: number) => requests({ status }), checked: dnsCheckMetrics(metrics) };
}
