import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { registrableDomain } from '../hostname.ts';
import type { OrderLimits, OrderWait } from './order-limits.ts';
import { windowMs, roomAt } from './order-limits.ts';

/** The orders on the claims of all names below one registered domain, as far as the authority's limit counts them. */
export interface RegisteredDomainOrders {
  /** orders that count, by the uid of their request; milliseconds since the Unix epoch */
  readonly orders: ReadonlyMap<string, number>;
  /** until when the authority paused the registered domain, milliseconds since the Unix epoch; 0 without a pause */
  readonly authorityPauseUntil: number;
}

const day = 24 * 3_600_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Let's Encrypt exempts renewals of the same names from this limit, and counts certificates, not failures. */
const counts = ({ outcome, kind }: NonNullable<HostnameClaim['spec']['orders']>[number]): boolean =>
  outcome !== 'Failed' && kind !== 'Renewal';

/**
 * Index values of a claim: its registered domain and its account, each with the day of every order that counts, so that
 * reading a week finds no more claims than the limit admitted; and a value for each scope that the authority paused.
 */
export function orderIndex({ metadata, spec }: HostnameClaim): readonly string[] {
  const { orders = [] } = spec;
  if (orders.length === 0) return [];
  const domain = registrableDomain(metadata.name);
  const days = orders
    .filter(counts)
    .flatMap((order) => [domain, payerOf(spec.account)].map((whose) => `${whose} ${dayOf(Date.parse(order.at))}`));
  const paused = orders.flatMap(({ waitsUntil, scope }) => {
    if (!waitsUntil || scope === 'Name') return [];
    return scope === 'Issuer' ? [issuerPaused] : [domainPaused(domain)];
  });
  return [...new Set([...days, ...paused])];
}

/** Index value of claims with an order that the authority answered with a pause of our whole ACME account. */
export const issuerPaused = 'paused issuer';
const domainPaused = (domain: string): string => `paused ${domain}`;

/** Never equal to a registered domain, as it has a space. */
const payerOf = (account: string): string => `account ${account}`;

/** The orders of a claim, as lists of claims show them. */
type ClaimOrders = { readonly spec: Pick<HostnameClaim['spec'], 'orders'> };

export type ClaimsByIndex = (value: string) => readonly ClaimOrders[];

/** The latest time that the authority named for this scope; 0 if none. */
export function authorityPauseUntil(claims: readonly ClaimOrders[], scope: 'Domain' | 'Issuer'): number {
  const times = claims.flatMap(({ spec }) =>
    (spec.orders ?? []).flatMap((order) =>
      order.scope === scope && order.waitsUntil ? [Date.parse(order.waitsUntil)] : [],
    ),
  );
  return Math.max(0, ...times);
}

/** Reads a registered domain's orders from the claims. */
export function registeredDomainOrders(
  domain: string,
  byIndex: ClaimsByIndex,
  limits: OrderLimits,
  now: number,
): RegisteredDomainOrders {
  const orders = ordersSince(domain, byIndex, now, windowMs(limits.registeredDomain));
  return { orders, authorityPauseUntil: authorityPauseUntil(byIndex(domainPaused(domain)), 'Domain') };
}

const week = 7 * day;

/** Number of first orders of an account within a week. */
export const firstOrdersOfAWeek = (account: string, byIndex: ClaimsByIndex, now: number): number =>
  ordersSince(payerOf(account), byIndex, now, week).size;

/** By the uid of their request: a claim is found on each day of its orders, every time with all of them. */
function ordersSince(whose: string, byIndex: ClaimsByIndex, now: number, length: number): ReadonlyMap<string, number> {
  const days = Math.ceil(length / day) + 1;
  const claims = Array.from({ length: days }, (_, ago) => byIndex(`${whose} ${dayOf(now - ago * day)}`)).flat();
  const orders = claims
    .flatMap(({ spec }) => (spec.orders ?? []).filter(counts))
    .map(({ request, at }) => [request, Date.parse(at)] as const)
    .filter(([, at]) => at > now - length);
  return new Map(orders);
}

/** Why a registered domain's orders make the next one wait; null if it need not. Only the authority delays renewals. */
export function registeredDomainWait(
  book: RegisteredDomainOrders,
  isRenewal: boolean,
  limits: OrderLimits,
  now: number,
): OrderWait | null {
  if (book.authorityPauseUntil > now) return { reason: 'AuthoritySaysWait', until: book.authorityPauseUntil };
  const full = isRenewal ? null : roomAt([...book.orders.values()], limits.registeredDomain, now);
  return full === null ? null : { reason: 'LedgerDomainFull', until: full };
}
