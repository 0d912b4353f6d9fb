import type { CaIdentity } from '../../dns/verdict/dns-verdict.ts';
import { identityOfAccount } from '../../dns/verdict/desired-dns.ts';
import { accountsOfIssuer, isOrderedHere } from '../../issuing/issuer-ref.ts';
import type { ConfiguredAccount, IssuerAccount } from '../../rules/order-ledger/order-limits.ts';
import { countingAccounts } from '../../rules/order-ledger/order-limits.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import type { Caches } from '../needs.ts';
import type { AuthorityHealth } from './authority-health.ts';
import type { RegisteredAccount } from './registered-accounts.ts';

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

/** Why an account takes no order: its authority does not answer, or it cannot be used, as the issuer's status says. */
export type AccountAway = 'Down' | 'Unusable';

/** Whether orders can be placed with an account. */
export interface AccountAvailability {
  readonly away: AccountAway | null;
  /** since when its authority answers again, milliseconds since the Unix epoch; 0 where it always did */
  readonly answersSince: number;
}

const here: AccountAvailability = Object.freeze({ away: null, answersSince: 0 });

/**
 * What this process knows of an issuer's accounts. `registered` are those that it can use, none before it looked at them, which says
 * nothing yet. An account that there is no other for is never away: its orders wait where they are.
 */
export function availabilityOf(
  registered: readonly Pick<RegisteredAccount, 'name' | 'server'>[],
  health: Pick<AuthorityHealth, 'of'>,
): (account: Pick<OrderingAccount, 'name' | 'server' | 'isAlone'>) => AccountAvailability {
  return ({ name, server, isAlone }) => {
    if (isAlone || registered.length === 0) return here;
    const { isDown, answersSince } = health.of(server);
    if (!registered.some((one) => one.name === name && one.server === server))
      return { away: 'Unusable', answersSince };
    return { away: isDown ? 'Down' : null, answersSince };
  };
}
