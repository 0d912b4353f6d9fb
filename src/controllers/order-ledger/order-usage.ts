import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { DomainHead } from '../../rules/domain-head.ts';
import { registrableDomain } from '../../rules/hostname.ts';
import type { PlaceInQueue } from '../../rules/order-ledger/expected-turn.ts';
import { firstInQueue, domainQueue, namespaceQueue } from '../../rules/order-ledger/expected-turn.ts';
import type { IssuerAccount, OrderLimits } from '../../rules/order-ledger/order-limits.ts';
import { longestOf } from '../../rules/order-ledger/order-limits.ts';
import type { CountedOrder, RegisteredDomainOrders } from '../../rules/order-ledger/registered-domain-orders.ts';
import {
  countedOrder,
  registeredDomainOrders,
  firstOrdersOfAWeek,
} from '../../rules/order-ledger/registered-domain-orders.ts';
import { namespacesOf } from '../account-lookup.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import type { Caches } from '../needs.ts';
import { setImmediate } from 'node:timers/promises';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { Cache } from '../../kubernetes/kubernetes-port.ts';
import type { LedgerOrder } from '../../rules/order-ledger/window-usage.ts';
import { inWindow, placedTimes } from '../../rules/order-ledger/window-usage.ts';
import { claimedHostname } from '../../rules/claim-name.ts';

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

/** Of a longer queue, which many accounts below one registered domain can make, everybody counts as its last. */
const readAtMost = 10_000;

/**
 * How many wait before a domain's request, by when the domains were added. Looked up only where the domain does not say yet until when it waits,
 * or that has passed: with ten thousand of one account it is a walk over all of them.
 */
export function placeInQueue(
  caches: Pick<Caches, 'domains' | 'namespaces'>,
  { metadata, spec, status }: ProjectDomain,
  accountName: string | undefined,
  now: number,
): PlaceInQueue {
  const announced = Date.parse(status?.certificate?.waitsUntil ?? '');
  if (accountName === undefined || announced > now) return firstInQueue;
  const { creationTimestamp: added = '', name } = metadata;
  const isBefore = ({ metadata: { creationTimestamp = '', name: other } }: Pick<DomainHead, 'metadata'>): boolean =>
    creationTimestamp < added || (creationTimestamp === added && other < name);
  const countIn = (queue: string): number => {
    const all = caches.domains.countByIndex('orderQueue', queue);
    return all > readAtMost ? all : caches.domains.byIndex('orderQueue', queue).filter(isBefore).length;
  };
  return {
    inAccount: namespacesOf(caches, accountName).reduce((sum, place) => sum + countIn(namespaceQueue(place)), 0),
    inDomain: countIn(domainQueue(registrableDomain(spec.hostname))),
  };
}

/** How many claims are read before yielding to the event loop. */
const slice = 100;

/**
 * The orders recorded on all claims that still count for the issuer, for when its ledger was lost. There may be hundreds
 * of thousands of claims, so they are read in slices.
 */
export async function ordersOnClaims(
  claims: Pick<Cache<HostnameClaim>, 'values'>,
  limits: Pick<OrderLimits, 'orders'>,
  now: number,
): Promise<readonly LedgerOrder[]> {
  const found: LedgerOrder[] = [];
  let read = 0;
  for (const claim of claims.values()) {
    found.push(...ordersOf(claim, limits, now));
    read += 1;
    if (read % slice === 0) await setImmediate();
  }
  return found;
}

/** Orders count against the account that holds the name now. */
function ordersOf(
  { metadata, spec }: HostnameClaim,
  limits: Pick<OrderLimits, 'orders'>,
  now: number,
): readonly LedgerOrder[] {
  return inWindow(spec.orders ?? [], limits, now).map(({ request, at, outcome, kind, acme, issuerAccount }) => ({
    request,
    at,
    account: spec.account,
    hostname: claimedHostname(metadata.name),
    domain: registrableDomain(claimedHostname(metadata.name)),
    kind: spec.proof.method === 'Platform' ? ('Platform' as const) : (kind ?? 'First'),
    state: outcome,
    ...(issuerAccount === undefined ? {} : { issuerAccount }),
    ...placedTimes(acme?.placed),
  }));
}
