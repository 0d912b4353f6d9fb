import type { RegisteredDomainOrders } from '../rules/order-ledger/registered-domain-orders.ts';
import { registeredDomainWait } from '../rules/order-ledger/registered-domain-orders.ts';
import type { OrderLedger } from '../generated/order-ledger.ts';
import type { OrderLimits, OrderWait } from '../rules/order-ledger/order-limits.ts';
import type { Payer } from '../rules/order-ledger/fair-share.ts';
import { issuerWait } from '../rules/order-ledger/issuer-orders.ts';

/** The earlier orders that limit the next one, in addition to those of its own name. */
export interface EarlierOrders {
  readonly ledger: OrderLedger | undefined;
  readonly domain: RegisteredDomainOrders;
  readonly limits: OrderLimits;
}

const minute = 60_000;
const longest = 60 * minute;

/**
 * What a request that is ready in itself waits for; null when it only waits for its turn. The time is uncertain where
 * others compete for the window: the longer a request has waited, the later it checks again. A grant wakes it anyway.
 */
export function orderWait(earlier: EarlierOrders, payer: Payer, since: number, now: number): OrderWait | null {
  const ofDomain = registeredDomainWait(earlier.domain, payer.kind === 'Renewal', earlier.limits, now);
  if (ofDomain) return ofDomain;
  const { orders = [], waitsUntil } = earlier.ledger?.spec ?? {};
  const ofIssuer = { orders, authorityPauseUntil: waitsUntil ? Date.parse(waitsUntil) : 0 };
  const wait = issuerWait(ofIssuer, earlier.limits, payer, now);
  if (!wait || wait.reason === 'AuthoritySaysWait') return wait;
  const patience = Math.min(longest, Math.max(minute, (now - since) / 4));
  return { ...wait, until: Math.max(wait.until, now + patience) };
}

/** A wait that goes on keeps its announced time, so that what people see does not change at every reconcile. */
export function keepAnnouncedTime(
  wait: OrderWait | null,
  before: { readonly waitsFor?: string; readonly waitsUntil?: string } | undefined,
  now: number,
): OrderWait | null {
  if (!wait || before?.waitsFor !== wait.reason || !before.waitsUntil) return wait;
  const announced = Date.parse(before.waitsUntil);
  return announced > now ? { ...wait, until: announced } : wait;
}

/** Why an order waits, as a message for people. */
export const waitMessage: Readonly<Record<OrderWait['reason'], string>> = {
  LedgerNameFull: 'as many certificates as the authority allows were issued for this hostname; the next order waits',
  LedgerDomainFull:
    'as many certificates as the authority allows were issued below the same registered domain; the next order waits',
  LedgerIssuerFull: 'the authority allows no more orders for now; the next one waits for its turn',
  LedgerShareUsed: "the account has used its share of the authority's orders for now; the next one waits",
  IssuanceLimited: 'too many failed authorizations of this hostname; the next order waits',
  AuthoritySaysWait: 'the certificate authority asked us to wait; the next order follows after that',
};

export const waitsForTurn = 'waiting for its turn in the order ledger';
