import { redirectBackend, redirectorAddresses } from '../../routing/redirect-service.ts';
import { accountOf } from '../account-lookup.ts';
import { applyActions } from '../apply-actions.ts';
import { indexKey } from '../../kubernetes/object-keys.ts';
import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import type { RedirectorEndpointsNeeds } from './redirector-endpoints-needs.ts';
import { decideRedirectorEndpoints, redirectorNamespaces } from './decide-redirector-endpoints.ts';
import type { Controller } from '../controller.ts';
import { itself } from '../controller.ts';

export const redirectorEndpointsController: Controller<RedirectorEndpointsNeeds> = {
  workers: ({ redirectorEndpoints }) => redirectorEndpoints,
  shareOf: itself,
  // Until they are reconciled, requests still go to a Pod that is stopping.
  isUrgent: true,
  reconcile: reconcileRedirectorEndpoints,
};

/** The key that stands for no namespace: reconciled with every move, so that it ends where nothing redirects. */
export const noNamespace = '*';

/**
 * One reconcile of one namespace: its Service that stands for the redirector leads to the redirector's Pods, also where that
 * cannot be recorded; then the reconcile has failed and is repeated.
 */
export async function reconcileRedirectorEndpoints(
  dependencies: RedirectorEndpointsNeeds,
  namespace: string,
): Promise<ReconcileResult> {
  const { caches, settings, rollout } = dependencies;
  const redirector = caches.endpointSlices.byIndex(
    'service',
    indexKey(settings.redirector.namespace, settings.redirector.name),
  );
  const addresses = redirectorAddresses(redirector);
  const record = await rollout
    .begin(addresses, () => redirectorNamespaces(caches, settings.issuer).all())
    .then(
      () => null,
      (error: unknown) => ({ error }),
    );
  const seen = snapshotOf(dependencies, namespace, redirector);
  const outcome = namespace === noNamespace ? {} : await applyActions(dependencies, decideRedirectorEndpoints(seen));
  if (record !== null) throw record.error;
  await rollout.arrived(namespace, addresses);
  return outcome;
}

const snapshotOf = (
  { caches, settings, now, recentChecks }: RedirectorEndpointsNeeds,
  namespace: string,
  redirector: Parameters<typeof decideRedirectorEndpoints>[0]['redirector'],
): Parameters<typeof decideRedirectorEndpoints>[0] =>
  Object.freeze({
    now: now(),
    leadingSince: recentChecks.since,
    namespace,
    account: accountOf(caches, namespace),
    leadsToRedirector: redirectorNamespaces(caches, settings.issuer).has(namespace),
    redirector,
    existing: caches.endpointSlices.byIndex('service', indexKey(namespace, redirectBackend.name)),
  });
