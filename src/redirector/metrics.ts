import type { CacheFigures } from '../lib/common-metrics.ts';
import { cacheGauges, readyGauge } from '../lib/common-metrics.ts';
import { createProcessMetrics } from '../lib/process-metrics.ts';

/** The redirector's metrics; `sources` are read on each scrape. */
export function createRedirectorMetrics(sources: CacheFigures & { readonly isReady: () => boolean }) {
  const metrics = createProcessMetrics();
  const help = 'Requests to redirecting hostnames by status.';
  const requests = metrics.counter('projectdomain_redirects_total', help, ['status']);
  cacheGauges(metrics, sources);
  readyGauge(metrics, 'redirector', sources.isReady);
  return { ...metrics, served: (status: number) => requests({ status }) };
}
