import { registrableDomain } from '../../rules/hostname.ts';
import type { RegisteredDomainOrders } from '../../rules/order-ledger/registered-domain-orders.ts';
import { registeredDomainOrders, firstOrdersOfAWeek } from '../../rules/order-ledger/registered-domain-orders.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import type { Caches } from '../reconciler-dependencies.ts';

const emptyBook: RegisteredDomainOrders = Object.freeze({ orders: new Map<string, number>(), authorityPauseUntil: 0 });

export interface OrderUsageSources {
  readonly caches: Pick<Caches, 'claims' | 'orderLedgers'>;
  readonly settings: ControllerSettings;
  readonly now: number;
}

/**
 * What was ordered below a hostname's registered domain: what the claims say, and what the issuer's ledger granted a
 * moment ago and no claim shows yet.
 */
export function registeredDomainUsage(
  { caches, settings, now }: OrderUsageSources,
  hostname: string,
): RegisteredDomainOrders {
  const domain = registrableDomain(hostname);
  const book = registeredDomainOrders(
    domain,
    (value) => caches.claims.byIndex('orders', value),
    settings.orderLimits,
    now,
  );
  const ledger = caches.orderLedgers.get({ namespace: '', name: settings.issuer.name });
  const granted = (ledger?.spec.orders ?? []).filter(
    (order) => order.domain === domain && order.state === 'Granted' && order.kind !== 'Renewal',
  );
  if (granted.length === 0) return book;
  return {
    ...book,
    orders: new Map([...granted.map(({ request, at }) => [request, Date.parse(at)] as const), ...book.orders]),
  };
}

/** What whoever waits for an order is judged by besides the issuer's ledger. */
export interface OrderUsage {
  readonly domainOrders: RegisteredDomainOrders;
  /** the account's first orders of a week */
  readonly recentFirstOrders: number;
}

export const noOrderUsage: OrderUsage = Object.freeze({ domainOrders: emptyBook, recentFirstOrders: 0 });

export const readOrderUsage = (
  shelf: OrderUsageSources,
  hostname: string,
  accountId: string | undefined,
): OrderUsage => ({
  domainOrders: registeredDomainUsage(shelf, hostname),
  recentFirstOrders: firstOrdersOfAWeek(
    accountId ?? '',
    (value) => shelf.caches.claims.byIndex('orders', value),
    shelf.now,
  ),
});
