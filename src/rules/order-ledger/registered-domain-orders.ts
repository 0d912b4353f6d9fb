import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { registrableDomain } from '../hostname.ts';
import type { OrderEntry } from './hostname-orders.ts';
import { countsFrom, endOf, limitedAt, mayHaveCertificate } from './hostname-orders.ts';
import type { IssuerAccount, PlacedWith, OrderWait, WindowLimit } from './order-limits.ts';
import { windowMs, roomAt } from './order-limits.ts';
import { countBy } from './window-usage.ts';
import { claimedHostname } from '../claim-name.ts';

/** The orders on the claims of all names below one registered domain, as far as the authority's limit counts them. */
export interface RegisteredDomainOrders {
  /** orders that count, by the uid of their request */
  readonly orders: ReadonlyMap<string, CountedOrder>;
  /** that an authority paused the registered domain */
  readonly pauses: readonly NamedPause[];
}

export interface CountedOrder extends PlacedWith {
  /** from when it counts, milliseconds since the Unix epoch */
  readonly at: number;
}

/** A time that an authority named, and the account that it told so. */
interface NamedPause extends PlacedWith {
  /** milliseconds since the Unix epoch */
  readonly until: number;
}

/** From when those count that an account counts, milliseconds since the Unix epoch. */
export const timesHere = (
  { orders }: Pick<RegisteredDomainOrders, 'orders'>,
  { isHere }: Pick<IssuerAccount, 'isHere'>,
): readonly number[] => [...orders.values()].filter(isHere).map(({ at }) => at);

/** The end of the latest pause; 0 without one. */
export const pauseEnd = (pauses: readonly NamedPause[]): number => Math.max(0, ...pauses.map(({ until }) => until));

const day = 24 * 3_600_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Let's Encrypt exempts renewals of the same names from this limit, and counts certificates, not failures. */
const counts = (order: OrderEntry): boolean => mayHaveCertificate(order) && order.kind !== 'Renewal';

/**
 * Index values of a claim: its registered domain with the day of each order that counts, so that reading a week finds no more
 * claims than the limit admitted; its account with each of those orders, to be counted; and a value for each scope that the
 * authority paused.
 */
export function orderIndex({ metadata, spec }: HostnameClaim): readonly string[] {
  const { orders = [] } = spec;
  if (orders.length === 0) return [];
  const domain = registrableDomain(claimedHostname(metadata.name));
  const days = countBy(orders.filter(counts), (order) => dayOf(endOf(order)));
  const paid = [...days].flatMap(([of, count]) =>
    Array.from({ length: count }, (_, before) => paidOrder(spec.account, of, before + 1)),
  );
  const paused = orders.flatMap(({ waitsUntil, scope }) => {
    if (!waitsUntil || scope === 'Name') return [];
    return scope === 'Issuer' ? [issuerPaused] : [domainPaused(domain)];
  });
  return [...[...days.keys()].map((of) => ordersOfDay(domain, of)), ...paid, ...new Set(paused)];
}

const ordersOfDay = (domain: string, of: string): string => `${domain} ${of}`;

/** The nth order of a hostname on a day. Never equal to a registered domain's value, as it begins with a word of its own. */
const paidOrder = (account: string, of: string, nth: number): string =>
  nth === 1 ? `account ${account} ${of}` : `account ${account} ${of} ${nth}`;

/** Index value of claims with an order that the authority answered with a pause of our whole ACME account. */
export const issuerPaused = 'paused issuer';
const domainPaused = (domain: string): string => `paused ${domain}`;

/** What is read of a claim. */
type ClaimOrders = { readonly spec: Pick<HostnameClaim['spec'], 'orders'> };

export type ClaimsByIndex = (value: string) => readonly ClaimOrders[];

/** The times that authorities named for this scope. */
export const authorityPauses = (claims: readonly ClaimOrders[], scope: 'Domain' | 'Issuer'): readonly NamedPause[] =>
  claims.flatMap(({ spec }) =>
    (spec.orders ?? []).flatMap((order) =>
      order.scope === scope && order.waitsUntil ? [{ until: Date.parse(order.waitsUntil), ...limitedAt(order) }] : [],
    ),
  );

/** Reads a registered domain's orders from the claims. */
export function registeredDomainOrders(
  domain: string,
  byIndex: ClaimsByIndex,
  limit: WindowLimit,
  now: number,
): RegisteredDomainOrders {
  const orders = ordersSince(domain, byIndex, now, windowMs(limit));
  return { orders, pauses: authorityPauses(byIndex(domainPaused(domain)), 'Domain') };
}

/** Number of first orders of an account today and in the seven days before (UTC). Reads no claim. */
export function firstOrdersOfAWeek(account: string, countByIndex: (value: string) => number, now: number): number {
  let sum = 0;
  for (const of of lastDays(now, 7 * day)) {
    for (let nth = 1, count = 1; count > 0; nth += 1) {
      count = countByIndex(paidOrder(account, of, nth));
      sum += count;
    }
  }
  return sum;
}

/** The days in which a span of time that ends now lies. */
const lastDays = (now: number, length: number): readonly string[] =>
  Array.from({ length: Math.ceil(length / day) + 1 }, (_, ago) => dayOf(now - ago * day));

/** By the uid of their request: a claim is found on each day of its orders, every time with all of them. */
function ordersSince(
  domain: string,
  byIndex: ClaimsByIndex,
  now: number,
  length: number,
): ReadonlyMap<string, CountedOrder> {
  const orders = lastDays(now, length)
    .flatMap((of) => byIndex(ordersOfDay(domain, of)))
    .flatMap(({ spec }) => (spec.orders ?? []).filter(counts))
    .map((order) => [order.request, countedOrder(order, countsFrom(order, now))] as const)
    .filter(([, { at }]) => at > now - length);
  return new Map(orders);
}

/** What is counted of an order. */
export const countedOrder = ({ issuerAccount }: PlacedWith, at: number): CountedOrder => ({
  at,
  ...(issuerAccount === undefined ? {} : { issuerAccount }),
});

/** Why a registered domain's orders make the next one with an account wait; null if it need not. Only the authority delays renewals. */
export function registeredDomainWait(
  book: RegisteredDomainOrders,
  isRenewal: boolean,
  account: Pick<IssuerAccount, 'limits' | 'isHere'>,
  now: number,
): OrderWait | null {
  const until = pauseEnd(book.pauses.filter(account.isHere));
  if (until > now) return { reason: 'AuthoritySaysWait', until };
  const full = isRenewal ? null : roomAt(timesHere(book, account), account.limits.registeredDomain, now);
  return full === null ? null : { reason: 'LedgerDomainFull', until: full };
}
