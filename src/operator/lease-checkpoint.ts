import { hash } from 'node:crypto';
import type { LeaseRecord } from '../controller-runtime/leader-election.ts';
import { buildRevision, buildVersion } from '../lib/process-metrics.ts';
import type { OperatorConfig } from './config.ts';

const versionAnnotation = 'projectdomain.io/checkpoint';
const reconcilerAnnotation = 'projectdomain.io/checkpoint-of';

/**
 * Which code and configuration reconcile: after a change of either, what a predecessor left may no longer be right. null where the
 * code is not known, as in an image without its commit: then there is no checkpoint.
 */
export function reconcilerOf(config: OperatorConfig): string | null {
  const revision = buildRevision();
  if (revision === null) return null;
  return hash('sha256', JSON.stringify([buildVersion(), revision, config])).slice(0, 16);
}

/** The checkpoint that a leader wrote into its lease; null without one of the same code and configuration. */
export function checkpointIn(lease: LeaseRecord | null, reconciler: string | null): string | null {
  const { [versionAnnotation]: version = '', [reconcilerAnnotation]: by } = lease?.annotations ?? {};
  return version !== '' && by === reconciler ? version : null;
}

/** What a leader writes into its lease; without a checkpoint, that there is none: another one's says nothing of it. */
export function checkpointAnnotations(
  version: string | null,
  reconciler: string | null,
): Readonly<Record<string, string>> {
  const isKnown = version !== null && reconciler !== null;
  return isKnown
    ? { [versionAnnotation]: version, [reconcilerAnnotation]: reconciler }
    : { [versionAnnotation]: '', [reconcilerAnnotation]: '' };
}
