import { applyActions } from '../apply-actions.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import type { ReconcilerDependencies } from '../reconciler-dependencies.ts';
import { parseKey } from '../../kubernetes/object-keys.ts';
import { decideProjectDomain } from './decide-project-domain.ts';
import { gatherProjectDomain } from './gather-project-domain.ts';
import { observeProjectDomain } from './observe-project-domain.ts';

/** One reconcile of one ProjectDomain: gather, observe, decide, carry out, say when to come back. */
export async function reconcileProjectDomain(
  dependencies: ReconcilerDependencies,
  key: string,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const domain = dependencies.caches.domains.get(parseKey(key));
  if (!domain || domain.metadata.deletionTimestamp) return {};
  const snapshot = await observeProjectDomain(
    dependencies,
    gatherProjectDomain(dependencies.caches, dependencies.settings, domain, dependencies.now()),
    signal,
  );
  return applyActions(dependencies, decideProjectDomain(snapshot));
}
