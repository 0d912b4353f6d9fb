import type { ReconcileResult } from '../../controller-runtime/actions.ts';
import type { AcmeIssuer } from '../../generated/acme-issuer.ts';
import { parseKey } from '../../kubernetes/object-keys.ts';
import { applyActions } from '../apply-actions.ts';
import type { AcmeIssuerNeeds } from './acme-issuer-needs.ts';
import { decideAcmeIssuer, untilNextLook } from './decide-acme-issuer.ts';
import type { AccountLook, AccountObservation } from './observe-account.ts';
import { authorityOf, observeAccount } from './observe-account.ts';
import { orderingAccounts } from './ordering-accounts.ts';
import type { Controller } from '../controller.ts';
import { itself, one } from '../controller.ts';

export const acmeIssuerController: Controller<AcmeIssuerNeeds> = {
  workers: one,
  shareOf: itself,
  reconcile: reconcileAcmeIssuer,
};

/**
 * Reconciles one AcmeIssuer: registers its accounts, and keeps those that can be used for the orders of this process. The authorities
 * are asked once an hour, and once a minute while something is wrong; in between the status follows the order ledger.
 */
async function reconcileAcmeIssuer(dependencies: AcmeIssuerNeeds, key: string): Promise<ReconcileResult> {
  const { caches, accounts, accountLooks, acmeClients, authorityHealth, settings, now } = dependencies;
  const { name } = parseKey(key);
  const issuer = caches.acmeIssuers.get({ namespace: '', name });
  acmeClients.keepOnly(caches.acmeIssuers.list().flatMap(({ spec }) => spec.accounts.map(authorityOf)));
  if (!issuer || issuer.metadata.deletionTimestamp) {
    accounts.record(name, []);
    accountLooks.delete(name);
    return {};
  }
  const look = await lookAt(dependencies, issuer);
  const isOrderedWith = settings.issuer.kind === 'AcmeIssuer' && settings.issuer.name === name;
  const snapshot = Object.freeze({
    issuer,
    observations: look.observations,
    health: authorityHealth.of,
    ledger: isOrderedWith ? caches.orderLedgers.get({ namespace: '', name }) : undefined,
    limits: isOrderedWith ? orderingAccounts(caches, settings) : [],
    lookedAt: look.at,
    now: now(),
  });
  return applyActions(dependencies, decideAcmeIssuer(snapshot));
}

/** The last look while that is recent enough, or a new one. */
async function lookAt(dependencies: AcmeIssuerNeeds, issuer: AcmeIssuer): Promise<AccountLook> {
  const { accounts, accountLooks, authorityHealth, now } = dependencies;
  const { name, generation = 0 } = issuer.metadata;
  const before = accountLooks.get(name);
  if (before?.generation === generation && now() < before.at + untilNextLook(before.observations, authorityHealth.of))
    return before;
  const observations = await observeAccounts(dependencies, issuer);
  const look = { at: now(), generation, observations };
  accounts.record(
    name,
    observations.flatMap(({ account }) => account ?? []),
  );
  accountLooks.set(name, look);
  return look;
}

async function observeAccounts(
  { cluster, settings, acmeClients, authorityHealth }: AcmeIssuerNeeds,
  { spec, status }: AcmeIssuer,
): Promise<readonly AccountObservation[]> {
  const ports = { cluster, namespace: settings.systemNamespace, clients: acmeClients };
  const known = status?.accounts ?? [];
  return Promise.all(
    spec.accounts.map(async (account) => {
      const before = known.find(({ name, server }) => name === account.name && server === account.server);
      const observation = await observeAccount(ports, account, before);
      const { problem } = observation;
      const since = Date.parse(before?.unansweredSince ?? '') || undefined;
      if (problem === null) authorityHealth.answered(account.server);
      if (problem?.reason === 'AuthorityUnreachable') authorityHealth.silent(account.server, since);
      return observation;
    }),
  );
}
