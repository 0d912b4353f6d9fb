import { applyActions } from '../apply.ts';
import type { ReconcileResult } from '../plan.ts';
import type { ReconcilerDependencies } from '../world.ts';
import { parseKey } from '../keys.ts';
import { decideProjectDomain } from './decide.ts';
import { gatherProjectDomain } from './gather.ts';
import { observeProjectDomain } from './observe.ts';

/** One visit to one ProjectDomain: gather, observe, decide, carry out, say when to come back. */
export async function reconcileProjectDomain(dependencies: ReconcilerDependencies, key: string, signal: AbortSignal): Promise<ReconcileResult> {
  const domain = dependencies.caches.domains.get(parseKey(key));
  if (!domain || domain.metadata.deletionTimestamp) return {};
  const snapshot = await observeProjectDomain(dependencies, gatherProjectDomain(dependencies.caches, dependencies.settings, domain, dependencies.now()), signal);
  return applyActions(dependencies, decideProjectDomain(snapshot));
}
