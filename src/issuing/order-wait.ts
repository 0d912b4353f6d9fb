import type { RegisteredDomainOrders } from '../rules/order-ledger/registered-domain-orders.ts';
import { registeredDomainWait } from '../rules/order-ledger/registered-domain-orders.ts';
import type { OrderLedger } from '../generated/order-ledger.ts';
import type { OrderLimits, OrderWait } from '../rules/order-ledger/order-limits.ts';
import type { Payer } from '../rules/order-ledger/fair-share.ts';
import { issuerWait } from '../rules/order-ledger/issuer-orders.ts';

/** The books that an order must find room in besides its name's own. */
export interface OrdersInTheWay {
  readonly ledger: OrderLedger | undefined;
  readonly domain: RegisteredDomainOrders;
  readonly limits: OrderLimits;
}

const minute = 60_000;
const longest = 60 * minute;

/**
 * What a request that is right in itself waits for; null when only its turn is missing. Where others compete for the
 * window nobody can tell the time: the longer it has waited, the later it is told to look again. A grant wakes it anyway.
 */
export function orderWait(books: OrdersInTheWay, payer: Payer, since: number, now: number): OrderWait | null {
  const ofDomain = registeredDomainWait(books.domain, payer.kind === 'Renewal', books.limits, now);
  if (ofDomain) return ofDomain;
  const { orders = [], waitsUntil } = books.ledger?.spec ?? {};
  const book = { orders, authorityPauseUntil: waitsUntil ? Date.parse(waitsUntil) : 0 };
  const wait = issuerWait(book, books.limits, payer, now);
  if (!wait || wait.reason === 'AuthoritySaysWait') return wait;
  const patience = Math.min(longest, Math.max(minute, (now - since) / 4));
  return { ...wait, until: Math.max(wait.until, now + patience) };
}

/** The same wait goes on with the time it was told, so that what people see does not change at every look. */
export function keepAnnouncedTime(
  wait: OrderWait | null,
  before: { readonly waitsFor?: string; readonly waitsUntil?: string } | undefined,
  now: number,
): OrderWait | null {
  if (!wait || before?.waitsFor !== wait.reason || !before.waitsUntil) return wait;
  const told = Date.parse(before.waitsUntil);
  return told > now ? { ...wait, until: told } : wait;
}

/** Why an order waits, for people. */
export const waitMessage: Readonly<Record<OrderWait['reason'], string>> = {
  LedgerNameFull: 'certificates of this hostname were issued as often as the authority allows; the next order waits',
  LedgerDomainFull:
    'certificates below the same registered domain were issued as often as the authority allows; the next order waits',
  LedgerIssuerFull: 'every order that the authority allows for now is used; the next one waits for its turn',
  LedgerShareUsed: "the account's share of the orders that the authority allows is used for now; the next one waits",
  IssuanceLimited: 'too many failed authorizations of this hostname; the next order waits',
  AuthoritySaysWait: 'the certificate authority itself asked for a pause; the next order waits until it is over',
};

export const waitsForTurn = 'waits for its turn in the order ledger';
