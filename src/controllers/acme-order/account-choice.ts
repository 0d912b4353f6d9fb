import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { OrderLedger } from '../../generated/order-ledger.ts';
import { hostnameWait, limitedAt } from '../../rules/order-ledger/hostname-orders.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import { permittedOf } from '../../rules/order-ledger/order-limits.ts';
import type { RegisteredDomainOrders } from '../../rules/order-ledger/registered-domain-orders.ts';
import { registeredDomainWait } from '../../rules/order-ledger/registered-domain-orders.ts';
import type { AccountAvailability, OrderingAccount } from '../acme-issuer/ordering-accounts.ts';
import { availabilityOf, orderingAccounts } from '../acme-issuer/ordering-accounts.ts';
import { registeredDomainUsage } from '../order-ledger/order-usage.ts';
import type { AcmeOrderNeeds } from './acme-order-needs.ts';
import type { AcmeOrderSnapshot, OrderAway } from './decide-acme-order.ts';

/** Which account an order is placed with, and whether another one has to take it. */
export type AccountChoice = Pick<AcmeOrderSnapshot, 'placedWith' | 'away' | 'alternative'>;

/** What the choice is made from. */
export interface ChoiceInput {
  readonly now: number;
  readonly order: OrderEntry;
  /** of the hostname, this one included */
  readonly orders: readonly OrderEntry[];
  /** in order of preference */
  readonly accounts: readonly OrderingAccount[];
  readonly availability: (account: OrderingAccount) => AccountAvailability;
  readonly ledger: OrderLedger | undefined;
  /** of the hostname's registered domain; asked for only where it matters */
  readonly domainOrders: () => RegisteredDomainOrders;
}

/**
 * An order stays with the account that the ledger granted it for, unless that takes none now, and the first that does and may have it
 * goes on instead. Pure.
 */
export function chooseAccount(input: ChoiceInput): AccountChoice {
  const { accounts, order } = input;
  const own = accounts.find(({ name }) => name === order.issuerAccount) ?? accounts[0];
  const away = own ? awayFor(own, input) : null;
  if (!own || away === null) return { placedWith: own?.name ?? null, away: null, alternative: null };
  const others = permittedOf(accounts, order.permittedAccounts).filter((account) => account !== own);
  const alternative = others.find((account) => takes(account, input));
  return { placedWith: own.name, away, alternative: alternative?.name ?? null };
}

function awayFor(own: OrderingAccount, { order, availability, now }: ChoiceInput): OrderAway | null {
  const { away } = availability(own);
  if (away !== null) return away;
  if (permittedOf([own], order.permittedAccounts).length === 0) return 'Forbidden';
  const isNamed = order.waitsUntil !== undefined && Date.parse(order.waitsUntil) > now;
  return isNamed && own.isOwn(limitedAt(order)) ? 'Waits' : null;
}

/** Its authority answers, and no limit that is known of keeps the order waiting there. */
function takes(
  account: OrderingAccount,
  { order, orders, availability, ledger, domainOrders, now }: ChoiceInput,
): boolean {
  if (availability(account).away !== null) return false;
  const state = ledger?.spec.accounts?.find(({ name }) => name === account.name);
  const pausedUntil = Date.parse(state?.waitsUntil ?? '') || 0;
  if (state?.left === 0 || pausedUntil > now) return false;
  if (hostnameWait(orders, account, now)) return false;
  return registeredDomainWait(domainOrders(), order.kind === 'Renewal', account, now) === null;
}

/** The same from what this process knows, for the orders of one hostname. */
export function accountChoice(
  { caches, settings, accounts: registered, authorityHealth, now }: AcmeOrderNeeds,
  claim: HostnameClaim,
): (order: OrderEntry) => AccountChoice {
  const accounts = orderingAccounts(caches, settings);
  const common = {
    now: now(),
    orders: claim.spec.orders ?? [],
    accounts,
    availability: availabilityOf(registered.of(settings.issuer.name), authorityHealth),
    ledger: caches.orderLedgers.get({ namespace: '', name: settings.issuer.name }),
    domainOrders: () =>
      registeredDomainUsage({ caches, settings, issuerAccounts: accounts, now: now() }, claim.metadata.name),
  };
  return (order) => chooseAccount({ ...common, order });
}
