import type { CaIdentity } from '../../dns/verdict/dns-verdict.ts';
import { identityOfAccount } from '../../dns/verdict/desired-dns.ts';
import { accountsOfIssuer, isOrderedHere } from '../../issuing/issuer-ref.ts';
import type { ConfiguredAccount, IssuerAccount } from '../../rules/order-ledger/order-limits.ts';
import { countingAccounts } from '../../rules/order-ledger/order-limits.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import type { Caches } from '../needs.ts';

/** An account that certificates are ordered with: how its orders are counted, and who CAA records have to permit for it. */
export interface OrderingAccount extends ConfiguredAccount, IssuerAccount {
  readonly ca: CaIdentity;
}

/** The accounts of the installation's issuer in order of preference; at least one, as cert-manager's issuers have one without a name. */
export function orderingAccounts(
  { issuers, acmeIssuers }: Pick<Caches, 'issuers' | 'acmeIssuers'>,
  { issuer, orderLimits, ca }: Pick<ControllerSettings, 'issuer' | 'orderLimits' | 'ca'>,
): readonly OrderingAccount[] {
  const key = { namespace: '', name: issuer.name };
  const accounts = accountsOfIssuer(isOrderedHere(issuer) ? acmeIssuers.get(key) : issuers.get(key));
  return countingAccounts(
    accounts.map((account) => ({
      name: account.name,
      server: account.server,
      limits: { ...orderLimits, ...account.limits },
      ca: identityOfAccount(ca, account),
    })),
  );
}
