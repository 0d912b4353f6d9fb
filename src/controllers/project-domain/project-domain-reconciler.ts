import { applyActions } from '../apply-actions.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import type { ProjectDomainNeeds } from './project-domain-needs.ts';
import type { ObjectKey } from '../../kubernetes/kubernetes-port.ts';
import { isRouteRefused, lastingRefusals } from '../lasting-refusals.ts';
import { parseKey } from '../../kubernetes/object-keys.ts';
import type { DomainActions } from './decide-project-domain.ts';
import { confirmSettled, isStillThere } from './confirm-settled.ts';
import { decideProjectDomain } from './decide-project-domain.ts';
import { gatherProjectDomain } from './gather-project-domain.ts';
import { observeProjectDomain } from './observe-project-domain.ts';
import { acceptanceFinding } from '../../rules/acceptance.ts';
import { conditionsByType } from '../../rules/conditions.ts';
import { undecided } from '../../issuing/request-status.ts';
import { canServeWildcards } from '../controller-settings.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { AssessedProjectDomain, GatheredProjectDomain } from './project-domain-snapshot.ts';
import type { Controller } from '../controller.ts';
import { byNamespace } from '../controller.ts';

export const projectDomainController: Controller<ProjectDomainNeeds> = {
  workers: ({ projectDomain }) => projectDomain,
  shareOf: byNamespace,
  reconcile: (dependencies, key, signal, isScheduled) =>
    reconcileProjectDomain(dependencies, { key, isScheduled }, signal),
};

interface ProjectDomainRequest {
  readonly key: string;
  /** nothing happened since the last reconcile, only the time has come */
  readonly isScheduled: boolean;
}

/** Reconciles one ProjectDomain: gather, assess, observe, decide, apply. Returns when to requeue. */
export async function reconcileProjectDomain(
  dependencies: ProjectDomainNeeds,
  { key, isScheduled }: ProjectDomainRequest,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const confirmed = isScheduled ? await confirmSettled(dependencies, parseKey(key), signal) : null;
  return confirmed ?? reconcileWhole(dependencies, parseKey(key), signal);
}

async function reconcileWhole(
  dependencies: ProjectDomainNeeds,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const { tracer, recentChecks, caches } = dependencies;
  const domain = caches.domains.get(key);
  if (!domain || domain.metadata.deletionTimestamp) return {};
  const before = recentChecks.of(domain.metadata.uid ?? '');
  if (before?.settledUntil) recentChecks.record(domain.metadata.uid ?? '', { ...before, settledUntil: null });
  const assessed = await tracer.span('gather', {}, () =>
    assessProjectDomain(gatherProjectDomain(dependencies, domain, dependencies.now())),
  );
  const observed = await tracer.span('observe', {}, () => observeProjectDomain(dependencies, assessed, signal));
  const snapshot = Object.freeze({ ...observed, isRouteRefused: isRouteRefused(dependencies, domain) });
  const lasting = lastingRefusals(dependencies, {
    domain,
    claim: snapshot.claimRelation.kind === 'Held' ? snapshot.claim : undefined,
    classes: snapshot.classes.wanted,
    suspendedBelow: snapshot.suspendedBelow,
  });
  const refusedWith = (refused: typeof lasting) =>
    decideProjectDomain(
      lasting.length + refused.length === 0 ? snapshot : { ...snapshot, refused: [...refused, ...lasting] },
    );
  const actions = await tracer.span('decide', {}, () => refusedWith([]));
  const result = await tracer.span('apply', { 'projectdomain.writes': actions.writes.length }, () =>
    applyActions(dependencies, actions, {
      about: domain,
      again: refusedWith,
    }),
  );
  remember(dependencies, domain, result.refused !== undefined || lasting.length > 0 ? unsettled(actions) : actions);
  return actions.isAwaited ? { ...result, isAwaited: true } : result;
}

/** A write that comes later needs a whole reconcile, whatever DNS says until then. */
const unsettled = (actions: DomainActions): DomainActions => ({
  ...actions,
  recentCheck: { ...actions.recentCheck, settledUntil: null },
});

/** A check counts as made once what it found is written. */
function remember(
  dependencies: ProjectDomainNeeds,
  domain: ProjectDomain,
  { recentCheck, foundAfterMs }: DomainActions,
): void {
  if (foundAfterMs !== null) dependencies.observeRecordFound(foundAfterMs);
  if (isStillThere(dependencies.caches, domain))
    dependencies.recentChecks.record(domain.metadata.uid ?? '', recentCheck);
}

/**
 * Evaluates the acceptance rules once; whether DNS is checked at all and everything decided afterwards depend on the
 * result. REST applies the same rules. Sorts what was gathered for the steps.
 */
export function assessProjectDomain(gathered: GatheredProjectDomain): AssessedProjectDomain {
  const { platformDomain, cnameDomain, challengeZone, routes } = gathered.settings;
  const accepted = acceptanceFinding({
    ...gathered,
    canPrepare: challengeZone !== null,
    canWildcard: canServeWildcards({ challengeZone, routes }),
    platformDomains: [platformDomain, cnameDomain],
  });
  return Object.freeze({
    ...gathered,
    accepted,
    before: conditionsByType(gathered.domain.status?.conditions),
    certificateConditions: conditionsByType(gathered.certificate?.status?.conditions),
    openRequests: undecided(gathered.requests),
  });
}
