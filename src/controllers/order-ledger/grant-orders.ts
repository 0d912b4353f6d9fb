import { timestamp } from '../../rules/conditions.ts';
import type { OrderCandidate } from '../../rules/order-ledger/allocation.ts';
import { allocateOrders } from '../../rules/order-ledger/allocation.ts';
import type { AuthorityOpenness } from '../../rules/order-ledger/authority-probe.ts';
import { authorityOpenness, grantsAtOnce } from '../../rules/order-ledger/authority-probe.ts';
import { placedWith } from '../../rules/order-ledger/order-limits.ts';
import { refusal } from '../../rules/order-ledger/fair-share.ts';
import { timesHere } from '../../rules/order-ledger/registered-domain-orders.ts';
import type { LedgerOrder } from '../../rules/order-ledger/window-usage.ts';
import { windowUsage } from '../../rules/order-ledger/window-usage.ts';
import type { LedgerAccount, LedgerCandidate, OrderLedgerSnapshot } from './order-ledger-snapshot.ts';

/** As the ledger's schema bounds it: one object has the orders of all accounts. */
export const ordersAtMost = 3_000;

/**
 * Grants of one payer that may wait to be used. One is usable for 90 s only, and counts for longer: with all that the limits have left at
 * once, a bulk import lets most of them expire. Nobody's own keep those of others from being granted.
 */
const unusedAtMost = 100;

type Granting = Pick<OrderLedgerSnapshot, 'accounts' | 'candidates' | 'domainOrders' | 'now'>;

/** Whether an account takes orders as far as the ledger knows. */
export const opennessOf = (
  { pausedUntil, away, isOwn }: LedgerAccount,
  orders: readonly LedgerOrder[],
  now: number,
): AuthorityOpenness =>
  away === null ? authorityOpenness({ until: pausedUntil, orders: orders.filter(isOwn) }, now) : 'Paused';

/**
 * Grants the orders that the accounts have left, by fair share within each. Every request goes to the first account, in order of
 * preference, that takes it: the next ones are for what CAA keeps from that one, and for when it is away, pauses, or is at a limit of its
 * own. A request that waits because its payer has used its share waits there, so that nobody has a share of each.
 */
export function grantOrders(
  { accounts, candidates, domainOrders, now }: Granting,
  orders: readonly LedgerOrder[],
): readonly LedgerOrder[] {
  let waiting = candidates;
  const granted: LedgerOrder[] = [];
  for (const account of accounts) {
    const taken = takenBy(account, { waiting, orders, granted, domainOrders, now });
    const byAccount = new Set<OrderCandidate>(taken);
    granted.push(...taken.map((candidate) => grant(candidate, account, now)));
    const waits = waitsAt(account, { orders, granted, now });
    waiting = waiting.filter((candidate) => !byAccount.has(candidate) && !waits(candidate));
  }
  return granted;
}

interface Round {
  readonly orders: readonly LedgerOrder[];
  /** in this round, by accounts that are preferred */
  readonly granted: readonly LedgerOrder[];
  readonly now: number;
}

interface RoundOfAccount extends Round, Pick<Granting, 'domainOrders'> {
  readonly waiting: readonly LedgerCandidate[];
}

function takenBy(
  account: LedgerAccount,
  { waiting, orders, granted, domainOrders, now }: RoundOfAccount,
): readonly OrderCandidate[] {
  const { limits } = account;
  const room = ordersAtMost - orders.length - granted.length;
  const atOnce = Math.min(room, grantsAtOnce[opennessOf(account, orders, now)]);
  if (atOnce <= 0) return [];
  const ofRound = granted.filter(account.isHere);
  const domainTimes = (domain: string): readonly number[] => {
    const book = domainOrders.get(domain);
    const justNow = ofRound.flatMap((order) => (order.domain === domain ? [Date.parse(order.at)] : []));
    return [...(book ? timesHere(book, account) : []), ...justNow];
  };
  const tally = windowUsage(orders.filter(account.isOwn), limits, now);
  const allowed = waiting.filter(({ accounts }) => accounts.includes(account));
  const allocated = allocateOrders(allowed, { tally, domainTimes, limits, now });
  return usableSoon(allocated, [...orders, ...granted]).slice(0, atOnce);
}

/** Without those whose payer has as many unused grants as it can use. */
function usableSoon(allocated: readonly OrderCandidate[], orders: readonly LedgerOrder[]): readonly OrderCandidate[] {
  const unused = new Map<string, number>();
  const count = (payer: string): number => {
    const after = (unused.get(payer) ?? 0) + 1;
    unused.set(payer, after);
    return after;
  };
  for (const { account, state } of orders) if (state === 'Granted') count(account);
  return allocated.filter(({ account }) => count(account) <= unusedAtMost);
}

/** Those that an account which takes orders keeps waiting for their payer's share alone. */
function waitsAt(account: LedgerAccount, { orders, granted, now }: Round): (candidate: LedgerCandidate) => boolean {
  const { limits, isOwn } = account;
  if (opennessOf(account, orders, now) !== 'Open') return () => false;
  const tally = windowUsage([...orders, ...granted].filter(isOwn), limits, now);
  return (candidate) => candidate.accounts.includes(account) && refusal(tally, limits, candidate) === 'LedgerShareUsed';
}

const grant = (
  { request, account, hostname, domain, kind }: OrderCandidate,
  placed: LedgerAccount,
  now: number,
): LedgerOrder => ({
  request,
  at: timestamp(now),
  account,
  hostname,
  domain,
  kind,
  state: 'Granted',
  ...placedWith(placed),
});
