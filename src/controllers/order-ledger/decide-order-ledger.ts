import type { OrderLedger } from '../../generated/order-ledger.ts';
import { timestamp } from '../../rules/conditions.ts';
import { OrderLedgerKind } from '../../resources/kinds.ts';
import { allocateOrders } from '../../rules/order-ledger/allocation.ts';
import type { OrderCandidate } from '../../rules/order-ledger/allocation.ts';
import { authorityOpenness, grantsAtOnce, opennessChangesAt } from '../../rules/order-ledger/authority-probe.ts';
import type { OrderLimits } from '../../rules/order-ledger/order-limits.ts';
import type { LedgerOrder } from '../../rules/order-ledger/window-usage.ts';
import { countPlaced, inWindow, paceOf, placedTimes, windowUsage } from '../../rules/order-ledger/window-usage.ts';
import { windowMs } from '../../rules/order-ledger/order-limits.ts';
import { grantCounts, isUnused } from '../../issuing/order-history.ts';
import type { WriteAction, Actions } from '../../controller-runtime/actions.ts';
import { earliest, noActions } from '../../controller-runtime/actions.ts';
import type { OrderLedgerSnapshot } from './order-ledger-snapshot.ts';

const soonest = 1_000;
/** How often the ledger is rewritten, so that it does not list orders that left the window long ago. */
const refresh = 5 * 60_000;

/**
 * Allocates the issuer's orders: drops those that left the window, returns grants that were not used, and grants what
 * is left by fair share, after a pause of the authority's one first. The ledger is written before anything is approved.
 */
export function decideOrderLedger(snapshot: OrderLedgerSnapshot): Actions {
  const { now, settings, ledger, candidates, waiting, domainOrders } = snapshot;
  const limits = settings.orderLimits;
  if (!ledger && waiting === 0) return noActions;
  const orders = ordersNow(snapshot, limits);
  const atOnce = grantsAtOnce[authorityOpenness({ until: pausedUntil(snapshot), orders }, now)];
  const tally = windowUsage(orders, limits, now);
  const domainTimes = (domain: string) => [...(domainOrders.get(domain)?.orders.values() ?? [])];
  const granted = atOnce === 0 ? [] : allocateOrders(candidates, { tally, domainTimes, limits, now }).slice(0, atOnce);
  const all = [...orders, ...granted.map((candidate) => grant(candidate, now))];
  const left = waiting - granted.length;
  const spec = specOf(snapshot, all, left);
  return {
    writes: write(ledger, settings.issuer.name, spec),
    events: [],
    requeueAt: all.length === 0 && left === 0 ? null : Math.max(now + soonest, nextRequeue(snapshot, all, left)),
  };
}

const pausedUntil = ({ authorityPauseUntil, ledger }: OrderLedgerSnapshot): number =>
  Math.max(authorityPauseUntil, ledger?.spec.waitsUntil ? Date.parse(ledger.spec.waitsUntil) : 0);

/** The ledger's current orders: with their outcomes, and without grants that were never used. */
function ordersNow(
  { ledger, recorded, unknownOrders, now }: OrderLedgerSnapshot,
  limits: OrderLimits,
): readonly LedgerOrder[] {
  const before = ledger ? (ledger.spec.orders ?? []) : unknownOrders;
  const settled = before.flatMap((order) => {
    const entry = recorded.get(order.request);
    const placed = placedTimes(entry?.acme?.placed);
    if (entry) return [{ ...order, state: entry.outcome, at: later(order.at, entry.at), ...placed }];
    return isUnused(order, now) ? [] : [order];
  });
  return inWindow(settled, limits, now).toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

const later = (a: string, b: string): string => (Date.parse(a) > Date.parse(b) ? a : b);

const grant = ({ request, account, hostname, domain, kind }: OrderCandidate, now: number): LedgerOrder => ({
  request,
  at: timestamp(now),
  account,
  hostname,
  domain,
  kind,
  state: 'Granted',
});

function specOf(snapshot: OrderLedgerSnapshot, orders: readonly LedgerOrder[], waiting: number): OrderLedger['spec'] {
  const { now, settings } = snapshot;
  const limits = settings.orderLimits;
  const pauseEnd = pausedUntil(snapshot);
  const slot = nextSlot(orders, limits, now);
  const used = countPlaced(orders);
  return {
    used,
    left: Math.max(0, limits.orders.count - used),
    waiting,
    ...(waiting > 0 && slot !== null ? { nextSlot: timestamp(Math.max(slot, pauseEnd)) } : {}),
    ...(pauseEnd > now ? { waitsUntil: timestamp(pauseEnd) } : {}),
    orders: [...orders],
  };
}

/** When the next order leaves the window or the pacing interval; null when there is none. */
function nextSlot(orders: readonly LedgerOrder[], limits: OrderLimits, now: number): number | null {
  const lengths = [paceOf(limits), windowMs(limits.orders)];
  const ends = orders.flatMap(({ at }) => lengths.map((length) => Date.parse(at) + length)).filter((end) => end > now);
  return ends.length === 0 ? null : Math.min(...ends);
}

function nextRequeue(snapshot: OrderLedgerSnapshot, orders: readonly LedgerOrder[], waiting: number): number {
  const { now, settings } = snapshot;
  const unused = orders.filter(({ state }) => state === 'Granted').map(({ at }) => Date.parse(at) + grantCounts);
  const slot = waiting > 0 ? nextSlot(orders, settings.orderLimits, now) : null;
  const until = pausedUntil(snapshot);
  const opens = waiting > 0 ? opennessChangesAt(authorityOpenness({ until, orders }, now), until, now) : null;
  return earliest(now + refresh, slot, opens, unused.length > 0 ? Math.min(...unused) : null) ?? now + refresh;
}

function write(ledger: OrderLedger | undefined, name: string, spec: OrderLedger['spec']): readonly WriteAction[] {
  const { apiVersion, kind } = OrderLedgerKind;
  if (!ledger)
    return [{ verb: 'create', kind: OrderLedgerKind, object: { apiVersion, kind, metadata: { name }, spec } }];
  if (JSON.stringify(ordered(ledger.spec)) === JSON.stringify(ordered(spec))) return [];
  return [{ verb: 'replace', kind: OrderLedgerKind, object: { ...ledger, spec } }];
}

/** The fields in a fixed order, because the kube-apiserver returns them in its own. */
const ordered = ({ orders = [], ...rest }: OrderLedger['spec']) => [
  Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  orders.map(({ request, at, state, placed = 1 }) => [request, at, state, placed]),
];
