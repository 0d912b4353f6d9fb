import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { registrableDomain } from '../hostname.ts';
import type { OrderLimits, OrderWait } from './order-limits.ts';
import { windowMs, roomAt } from './order-limits.ts';

/** What is on the claims of one registered domain's names, as far as a limit of the authority counts it. */
export interface RegisteredDomainOrders {
  /** orders that count, by the uid of their request; milliseconds since the Unix epoch */
  readonly orders: ReadonlyMap<string, number>;
  /** what the authority said of the registered domain; 0 when it said nothing */
  readonly authorityPauseUntil: number;
}

const day = 24 * 3_600_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Let's Encrypt exempts renewals of the same names from this limit, and counts certificates, not failures. */
const counts = ({ outcome, kind }: NonNullable<HostnameClaim['spec']['orders']>[number]): boolean =>
  outcome !== 'Failed' && kind !== 'Renewal';

/**
 * Where a claim is found again: under its registered domain, its account and the day of each order that counts, so that a look at a
 * week finds no more claims than the limit let through; and wherever the authority named a time.
 */
export function orderIndex({ metadata, spec }: HostnameClaim): readonly string[] {
  const { orders = [] } = spec;
  if (orders.length === 0) return [];
  const domain = registrableDomain(metadata.name);
  const days = orders
    .filter(counts)
    .flatMap((order) => [domain, payerOf(spec.account)].map((whose) => `${whose} ${dayOf(Date.parse(order.at))}`));
  const said = orders.flatMap(({ waitsUntil, scope }) => {
    if (!waitsUntil || scope === 'Name') return [];
    return scope === 'Issuer' ? [issuerPaused] : [domainSaid(domain)];
  });
  return [...new Set([...days, ...said])];
}

/** Index value of claims whose orders the authority answered with a time for the whole account. */
export const issuerPaused = 'the authority said of the issuer';
const domainSaid = (domain: string): string => `the authority said of ${domain}`;

/** No registered domain looks like it. */
const payerOf = (account: string): string => `account ${account}`;

export type ClaimsByIndex = (value: string) => readonly HostnameClaim[];

/** The latest time that the authority named for this scope; 0 when it named none. */
export function authorityPauseUntil(claims: readonly HostnameClaim[], scope: 'Domain' | 'Issuer'): number {
  const times = claims.flatMap(({ spec }) =>
    (spec.orders ?? []).flatMap((order) =>
      order.scope === scope && order.waitsUntil ? [Date.parse(order.waitsUntil)] : [],
    ),
  );
  return Math.max(0, ...times);
}

/** Reads a registered domain's book off the claims. */
export function registeredDomainOrders(
  domain: string,
  byIndex: ClaimsByIndex,
  limits: OrderLimits,
  now: number,
): RegisteredDomainOrders {
  const orders = ordersSince(domain, byIndex, now, windowMs(limits.registeredDomain));
  return { orders: new Map(orders), authorityPauseUntil: authorityPauseUntil(byIndex(domainSaid(domain)), 'Domain') };
}

const week = 7 * day;

/** First orders of an account within a week. */
export const firstOrdersOfAWeek = (account: string, byIndex: ClaimsByIndex, now: number): number =>
  ordersSince(payerOf(account), byIndex, now, week).length;

function ordersSince(
  whose: string,
  byIndex: ClaimsByIndex,
  now: number,
  length: number,
): readonly (readonly [request: string, at: number])[] {
  const days = Math.ceil(length / day) + 1;
  const claims = new Set(
    Array.from({ length: days }, (_, ago) => byIndex(`${whose} ${dayOf(now - ago * day)}`)).flat(),
  );
  return [...claims]
    .flatMap(({ spec }) => (spec.orders ?? []).filter(counts))
    .map(({ request, at }) => [request, Date.parse(at)] as const)
    .filter(([, at]) => at > now - length);
}

/** What a registered domain's orders say to one more. Renewals are only held off by the authority's own word. */
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
