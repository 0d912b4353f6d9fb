import { applyActions } from '../apply-actions.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import type { ReconcilerDependencies } from '../reconciler-dependencies.ts';
import { parseKey } from '../../kubernetes/object-keys.ts';
import type { DomainActions } from './decide-project-domain.ts';
import { decideProjectDomain } from './decide-project-domain.ts';
import { gatherProjectDomain } from './gather-project-domain.ts';
import { observeProjectDomain } from './observe-project-domain.ts';
import { acceptanceFinding } from '../../rules/acceptance.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { AssessedProjectDomain, GatheredProjectDomain } from './project-domain-snapshot.ts';

/** Reconciles one ProjectDomain: gather, assess, observe, decide, apply. Returns when to requeue. */
export async function reconcileProjectDomain(
  dependencies: ReconcilerDependencies,
  key: string,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const domain = dependencies.caches.domains.get(parseKey(key));
  if (!domain || domain.metadata.deletionTimestamp) return {};
  const { tracer } = dependencies;
  const assessed = await tracer.span('gather', {}, () =>
    assessProjectDomain(gatherProjectDomain(dependencies, domain, dependencies.now())),
  );
  const snapshot = await tracer.span('observe', {}, () => observeProjectDomain(dependencies, assessed, signal));
  const actions = await tracer.span('decide', {}, () => decideProjectDomain(snapshot));
  const result = await tracer.span('apply', { 'projectdomain.writes': actions.writes.length }, () =>
    applyActions(dependencies, actions),
  );
  remember(dependencies, domain, actions);
  return result;
}

/** A check counts as made once what it found is written; nothing is remembered of an object that is gone meanwhile. */
function remember(
  { caches, recentChecks, observeRecordFound }: ReconcilerDependencies,
  { metadata }: ProjectDomain,
  { recentCheck, foundAfterMs }: DomainActions,
): void {
  const { name, namespace = '', uid = '' } = metadata;
  if (foundAfterMs !== null) observeRecordFound(foundAfterMs);
  const found = caches.domains.headOf({ namespace, name })?.metadata;
  if (found?.uid === uid && !found.deletionTimestamp) recentChecks.record(uid, recentCheck);
}

/**
 * Evaluates the acceptance rules once; whether DNS is checked at all and everything decided afterwards depend on the
 * result. REST applies the same rules.
 */
export function assessProjectDomain(gathered: GatheredProjectDomain): AssessedProjectDomain {
  const { platformDomain, cnameDomain } = gathered.settings;
  const accepted = acceptanceFinding({ ...gathered, platformDomains: [platformDomain, cnameDomain] });
  return Object.freeze({ ...gathered, accepted });
}
