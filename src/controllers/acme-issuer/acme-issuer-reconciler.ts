import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import { parseKey } from '../../kubernetes/object-keys.ts';
import { applyActions } from '../apply-actions.ts';
import type { ReconcilerDependencies } from '../reconciler-dependencies.ts';
import { decideAcmeIssuer } from './decide-acme-issuer.ts';
import { authorityOf, observeAccount } from './observe-account.ts';

/** Reconciles one AcmeIssuer: registers its accounts, and keeps those that can be used for the orders of this process. */
export async function reconcileAcmeIssuer(dependencies: ReconcilerDependencies, key: string): Promise<ReconcileResult> {
  const { caches, cluster, accounts, acmeClients, settings, now } = dependencies;
  const { name } = parseKey(key);
  const issuer = caches.acmeIssuers.get({ namespace: '', name });
  acmeClients.keepOnly(caches.acmeIssuers.list().flatMap(({ spec }) => spec.accounts.map(authorityOf)));
  if (!issuer || issuer.metadata.deletionTimestamp) {
    accounts.record(name, []);
    return {};
  }
  const ports = { cluster, namespace: settings.systemNamespace, clients: acmeClients };
  const observations = await Promise.all(
    issuer.spec.accounts.map((spec) =>
      observeAccount(
        ports,
        spec,
        issuer.status?.accounts?.find((known) => known.name === spec.name),
      ),
    ),
  );
  accounts.record(
    name,
    observations.flatMap(({ account }) => account ?? []),
  );
  return applyActions(dependencies, decideAcmeIssuer(Object.freeze({ issuer, observations, now: now() })));
}
