import { readFileSync } from 'node:fs';
import type { Registry } from '@prometheus-io/client';
import { collectDefaultMetrics, Counter, Gauge, Histogram } from '@prometheus-io/client';
import { eventLoopGauge } from './gauges.ts';

/** What every process measures: itself and its requests to the kube-apiserver. */
export interface ProcessMetrics {
  readonly kubeRequest: (request: {
    readonly verb: string;
    readonly resource: string;
    readonly code: string;
    readonly ms: number;
  }) => void;
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
export function createProcessMetrics(register: Registry): ProcessMetrics {
  collectDefaultMetrics({ register, eventLoopUtilizationTimeout: never });
  for (const name of misnamed) register.removeSingleMetric(name);
  const registers = [register];
  new Gauge({
    name: 'projectdomain_build_info',
    help: 'Always 1; the labels are the version, the commit that the image was built from, and the version of Node.js.',
    labelNames: ['version', 'revision', 'node'],
    registers,
  }).set({ version: buildVersion(), revision: buildRevision() ?? 'unknown', node: process.versions.node }, 1);
  eventLoopGauge(registers);
  const requests = new Counter({
    name: 'projectdomain_kube_requests_total',
    help: 'Requests to the kube-apiserver by verb, resource and class of status; none is no answer.',
    labelNames: ['verb', 'resource', 'code'],
    registers,
  });
  const duration = new Histogram({
    name: 'projectdomain_kube_request_seconds',
    help: 'Time until the kube-apiserver answered.',
    labelNames: ['verb', 'resource'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 30],
    registers,
  });
  return {
    kubeRequest({ verb, resource, code, ms }) {
      requests.inc({ verb, resource, code });
      duration.observe({ verb, resource }, ms / 1_000);
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
