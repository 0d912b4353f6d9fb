import { registrableDomain } from '../../rules/hostname.ts';
import type { IssuerAccount } from '../../rules/order-ledger/issuer-account.ts';
import type { PlaceInQueue } from '../../rules/order-ledger/expected-turn.ts';
import { firstInQueue } from '../../rules/order-ledger/expected-turn.ts';
import { longestOf } from '../../rules/order-ledger/order-limits.ts';
import type { CountedOrder, RegisteredDomainOrders } from '../../rules/order-ledger/registered-domain-orders.ts';
import {
  countedOrder,
  registeredDomainOrders,
  firstOrdersOfAWeek,
} from '../../rules/order-ledger/registered-domain-orders.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import type { Caches } from '../needs.ts';

const noDomainOrders: RegisteredDomainOrders = Object.freeze({
  orders: new Map<string, CountedOrder>(),
  pauses: [],
});

export interface OrderUsageSources {
  readonly caches: Pick<Caches, 'claims' | 'orderLedgers'>;
  readonly settings: Pick<ControllerSettings, 'issuer'>;
  /** of the issuer */
  readonly issuerAccounts: readonly IssuerAccount[];
  readonly now: number;
}

/**
 * The orders below a hostname's registered domain: those that claims record, and those that the issuer's ledger has
 * just granted and no claim shows yet.
 */
export function registeredDomainUsage(
  { caches, settings, issuerAccounts, now }: OrderUsageSources,
  hostname: string,
): RegisteredDomainOrders {
  const domain = registrableDomain(hostname);
  const usage = registeredDomainOrders(
    domain,
    (value) => caches.claims.byIndex('orders', value),
    longestOf(issuerAccounts.map(({ limits }) => limits.registeredDomain)),
    now,
  );
  const ledger = caches.orderLedgers.get({ namespace: '', name: settings.issuer.name });
  const granted = (ledger?.spec.orders ?? []).filter(
    (order) => order.domain === domain && order.state === 'Granted' && order.kind !== 'Renewal',
  );
  if (granted.length === 0) return usage;
  return {
    ...usage,
    orders: new Map([...granted.map((order) => [order.request, countedOrder(order, now)] as const), ...usage.orders]),
  };
}

/** What decides about a waiting order besides the issuer's ledger. */
export interface OrderUsage {
  readonly domainOrders: RegisteredDomainOrders;
  /** number of the account's first orders within a week */
  readonly recentFirstOrders: number;
  readonly placeInQueue: PlaceInQueue;
}

export const noOrderUsage: OrderUsage = Object.freeze({
  domainOrders: noDomainOrders,
  recentFirstOrders: 0,
  placeInQueue: firstInQueue,
});

export const readOrderUsage = (
  sources: OrderUsageSources,
  hostname: string,
  accountId: string | undefined,
): Omit<OrderUsage, 'placeInQueue'> => ({
  domainOrders: registeredDomainUsage(sources, hostname),
  recentFirstOrders: firstOrdersOfAWeek(
    accountId ?? '',
    (value) => sources.caches.claims.countByIndex('orders', value),
    sources.now,
  ),
});
