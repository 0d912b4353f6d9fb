import { registrableDomain } from '../../rules/hostname.ts';
import type { RegisteredDomainOrders } from '../../rules/order-ledger/registered-domain-orders.ts';
import { registeredDomainOrders, firstOrdersOfAWeek } from '../../rules/order-ledger/registered-domain-orders.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import type { Caches } from '../reconciler-dependencies.ts';

const noDomainOrders: RegisteredDomainOrders = Object.freeze({
  orders: new Map<string, number>(),
  authorityPauseUntil: 0,
});

export interface OrderUsageSources {
  readonly caches: Pick<Caches, 'claims' | 'orderLedgers'>;
  readonly settings: ControllerSettings;
  readonly now: number;
}

/**
 * The orders below a hostname's registered domain: those that claims record, and those that the issuer's ledger has
 * just granted and no claim shows yet.
 */
export function registeredDomainUsage(
  { caches, settings, now }: OrderUsageSources,
  hostname: string,
): RegisteredDomainOrders {
  const domain = registrableDomain(hostname);
  const usage = registeredDomainOrders(
    domain,
    (value) => caches.claims.byIndex('orders', value),
    settings.orderLimits,
    now,
  );
  const ledger = caches.orderLedgers.get({ namespace: '', name: settings.issuer.name });
  const granted = (ledger?.spec.orders ?? []).filter(
    (order) => order.domain === domain && order.state === 'Granted' && order.kind !== 'Renewal',
  );
  if (granted.length === 0) return usage;
  return {
    ...usage,
    orders: new Map([...granted.map(({ request, at }) => [request, Date.parse(at)] as const), ...usage.orders]),
  };
}

/** What decides about a waiting order besides the issuer's ledger. */
export interface OrderUsage {
  readonly domainOrders: RegisteredDomainOrders;
  /** number of the account's first orders within a week */
  readonly recentFirstOrders: number;
}

export const noOrderUsage: OrderUsage = Object.freeze({ domainOrders: noDomainOrders, recentFirstOrders: 0 });

export const readOrderUsage = (
  sources: OrderUsageSources,
  hostname: string,
  accountId: string | undefined,
): OrderUsage => ({
  domainOrders: registeredDomainUsage(sources, hostname),
  recentFirstOrders: firstOrdersOfAWeek(
    accountId ?? '',
    (value) => sources.caches.claims.countByIndex('orders', value),
    sources.now,
  ),
});
