import { registrableDomain } from '../model/hostname.ts';
import type { DomainBook } from '../model/ledger/domain.ts';
import { domainBook, servedOf } from '../model/ledger/domain.ts';
import type { Settings } from './settings.ts';
import type { Caches } from './world.ts';

const emptyBook: DomainBook = Object.freeze({ orders: new Map<string, number>(), saidUntil: 0 });

export interface Shelf {
  readonly caches: Pick<Caches, 'claims' | 'orderLedgers'>;
  readonly settings: Settings;
  readonly now: number;
}

/**
 * What was ordered below a hostname's registered domain: what the claims say, and what the issuer's ledger granted a
 * moment ago and no claim shows yet.
 */
export function bookOf({ caches, settings, now }: Shelf, hostname: string): DomainBook {
  const domain = registrableDomain(hostname);
  const book = domainBook(domain, (value) => caches.claims.byIndex('orders', value), settings.orderLimits, now);
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
export interface Readings {
  readonly domainBook: DomainBook;
  /** the account's first orders of a week */
  readonly served: number;
}

export const unread: Readings = Object.freeze({ domainBook: emptyBook, served: 0 });

export const read = (shelf: Shelf, hostname: string, accountId: string | undefined): Readings => ({
  domainBook: bookOf(shelf, hostname),
  served: servedOf(accountId ?? '', (value) => shelf.caches.claims.byIndex('orders', value), shelf.now),
});
