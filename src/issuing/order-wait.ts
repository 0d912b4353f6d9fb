import type { OrderLedger } from '../generated/order-ledger.ts';
import { certificateReasons } from '../rules/codes/certificate-reasons.ts';
import { soonest } from '../rules/order-ledger/hostname-orders.ts';
import type { PlaceInQueue } from '../rules/order-ledger/expected-turn.ts';
import { turnInWindow } from '../rules/order-ledger/expected-turn.ts';
import type { Payer } from '../rules/order-ledger/fair-share.ts';
import type { IssuerAccount, OrderWait } from '../rules/order-ledger/order-limits.ts';
import { issuerWait } from '../rules/order-ledger/fair-share.ts';
import type { LedgerOrder } from '../rules/order-ledger/window-usage.ts';
import { roomAfter } from '../rules/order-ledger/order-limits.ts';
import type { RegisteredDomainOrders } from '../rules/order-ledger/registered-domain-orders.ts';
import { registeredDomainWait, timesHere } from '../rules/order-ledger/registered-domain-orders.ts';

/** The earlier orders that limit the next one, in addition to those of its own name. */
export interface EarlierOrders {
  readonly ledger: OrderLedger | undefined;
  readonly domain: RegisteredDomainOrders;
  /** who waits before it */
  readonly place: PlaceInQueue;
  /** those that the order may be placed with, as far as its name and CAA decide that */
  readonly accounts: readonly IssuerAccount[];
}

const minute = 60_000;
const longest = 60 * minute;

/**
 * What a request that is ready in itself waits for; null when it only waits for its turn. The time is uncertain where
 * others compete for the window: the longer a request has waited, the later it checks again. A grant wakes it anyway.
 */
export function orderWait(earlier: EarlierOrders, payer: Payer, since: number, now: number): OrderWait | null {
  const wait = soonest(earlier.accounts.map((account) => waitAt(account, earlier, payer, now)));
  if (!wait || !isUncertain(wait)) return wait;
  const patience = Math.min(longest, Math.max(minute, (now - since) / 4));
  return { ...wait, until: Math.max(wait.until, now + patience) };
}

const uncertain: readonly (string | undefined)[] = [
  'LedgerIssuerFull',
  'LedgerShareUsed',
] satisfies OrderWait['reason'][];

const isUncertain = ({ reason }: OrderWait): boolean => uncertain.includes(reason);

/** The same where one account alone may be ordered with. */
function waitAt(account: IssuerAccount, earlier: EarlierOrders, payer: Payer, now: number): OrderWait | null {
  const { domain, place } = earlier;
  const ofDomain = registeredDomainWait(domain, payer.kind === 'Renewal', account, now);
  if (ofDomain?.reason !== 'LedgerDomainFull') return ofDomain ?? windowWait(account, earlier, payer, now);
  const limit = account.limits.registeredDomain;
  return { ...ofDomain, until: roomAfter(timesHere(domain, account), limit, place.inDomain, now) };
}

function windowWait(
  account: IssuerAccount,
  { ledger, place }: EarlierOrders,
  payer: Payer,
  now: number,
): OrderWait | null {
  const { orders: all = [], accounts = [], waitsUntil: ofAll } = ledger?.spec ?? {};
  const state = accounts.find(({ name }) => name === account.name);
  if (state?.away !== undefined) return { reason: 'AuthorityUnavailable', until: now + minute };
  const waitsUntil = state ? state.waitsUntil : ofAll;
  const orders = all.filter(account.isOwn);
  const authorityPauseUntil = waitsUntil ? Date.parse(waitsUntil) : 0;
  const wait = issuerWait({ orders, authorityPauseUntil }, account.limits, payer, now);
  if (!wait || !isUncertain(wait) || payer.kind === 'Renewal') return wait;
  const competition = { before: place.inAccount, weights: waitingWeights(ledger), failing: partFailed(orders) };
  return { ...wait, until: turnInWindow(wait.until, account.limits, payer, competition) };
}

const waitingWeights = (ledger: OrderLedger | undefined): number => ledger?.spec.waitingWeight ?? 0;

const partFailed = (orders: readonly LedgerOrder[]): number =>
  orders.filter(({ state }) => state === 'Failed').length / Math.max(1, orders.length);

/** A wait that goes on keeps its announced time, so that what people see does not change at every reconcile. */
export function keepAnnouncedTime(
  wait: OrderWait | null,
  before: { readonly waitsFor?: string; readonly waitsUntil?: string } | undefined,
  now: number,
): OrderWait | null {
  if (!wait || !before?.waitsUntil || !isSameWait(before.waitsFor, wait)) return wait;
  const announced = Date.parse(before.waitsUntil);
  return announced > now ? { ...wait, until: announced } : wait;
}

/** It is the window that both wait for, whether the account's own share of it is used or all of it. */
const isSameWait = (before: string | undefined, { reason }: OrderWait): boolean =>
  before === reason || (uncertain.includes(before) && uncertain.includes(reason));

/** Why an order waits, as a message for people. */
export const waitMessage = ({ reason }: OrderWait): string => certificateReasons[reason].sentence({ permitted: null });

export const waitsForTurn = 'waiting for its turn in the order ledger';
