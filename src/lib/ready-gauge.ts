import type { Registry } from '@prometheus-io/client';
import { gauge } from './labelled-gauge.ts';

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
