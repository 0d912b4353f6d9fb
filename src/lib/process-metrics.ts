import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import type { Metrics } from './metrics.ts';
import { createMetrics } from './metrics.ts';

interface KubeRequest {
  readonly verb: string;
  readonly resource: string;
  /** class of the status */
  readonly code: string;
  readonly ms: number;
}

/** What every process measures: itself and its requests to the kube-apiserver. */
export interface ProcessMetrics extends Metrics {
  readonly kubeRequest: (request: KubeRequest) => void;
}

/**
 * Of the client's default metrics those whose names break Prometheus' rules (promlint), and say nothing that is not told besides: sums over what another one
 * tells by type, and how busy the event loop is, which the processor seconds and the lag tell.
 */
const misnamed: readonly string[] = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_eventloop_utilization_summary',
  'nodejs_eventloop_utilization_histogram',
];

/**
 * The longest time that a timer takes, some 25 days. What measures how busy the event loop is catches up on every interval that it missed: after hours
 * in which a process was stopped, or its clock stood, that is a loop of a minute.
 */
const never = 2 ** 31 - 1;

/** Node.js' default metrics, how long its event loop was blocked, the build, and requests to the kube-apiserver. */
export function createProcessMetrics(register = new Registry()): ProcessMetrics {
  collectDefaultMetrics({ register, eventLoopUtilizationTimeout: never });
  for (const name of misnamed) register.removeSingleMetric(name);
  const metrics = createMetrics(register);
  const build = { version: buildVersion(), revision: buildRevision() ?? 'unknown', node: process.versions.node };
  metrics.table(
    'projectdomain_build_info',
    'Always 1; the labels are the version, the commit that the image was built from, and the version of Node.js.',
    ['version', 'revision', 'node'],
    () => [{ labels: build, value: 1 }],
  );
  eventLoopGauge(metrics);
  const requests = metrics.counter(
    'projectdomain_kube_requests_total',
    'Requests to the kube-apiserver by verb, resource and class of status; none is no answer.',
    ['verb', 'resource', 'code'],
  );
  const duration = metrics.histogram(
    'projectdomain_kube_request_seconds',
    'Time until the kube-apiserver answered.',
    [0.005, 0.02, 0.1, 0.5, 2, 10, 30],
    ['verb', 'resource'],
  );
  return {
    ...metrics,
    kubeRequest: ({ verb, resource, code, ms }) => {
      requests({ verb, resource, code });
      duration(ms, { verb, resource });
    },
  };
}

/** The version of the package that this file belongs to. */
function buildVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}

/** The commit, as the image's build argument REVISION names it; null outside of such an image. */
const buildRevision = (): string | null => process.env.REVISION || null;

/** Sampling interval in milliseconds, and so the accuracy of the measured delay. */
const resolution = 10;
const nanoseconds = 1e-9;

/** How long the event loop was blocked since the last scrape: nothing else happens in a process meanwhile. */
function eventLoopGauge(metrics: Metrics): void {
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  // The time between two samples is measured, so the interval itself is no delay.
  const seconds = (value: number) => Math.max(0, value * nanoseconds - resolution / 1_000) || 0;
  metrics.gauge(
    'projectdomain_event_loop_delay_seconds',
    'How long the event loop was blocked since the last scrape: maximum and 99th percentile.',
    'statistic',
    () => {
      const measured = new Map([
        ['max', seconds(delays.max)],
        ['p99', seconds(delays.percentile(99))],
      ]);
      delays.reset();
      return measured;
    },
  );
}
