import type { OrderLedger } from '../../generated/order-ledger.ts';
import { timestamp } from '../../rules/conditions.ts';
import { OrderLedgerKind } from '../../resources/kinds.ts';
import { opennessChangesAt } from '../../rules/order-ledger/authority-probe.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import type { LedgerOrder } from '../../rules/order-ledger/window-usage.ts';
import { countPlaced, inWindow, paceOf, placedTimes } from '../../rules/order-ledger/window-usage.ts';
import { longestOf, windowMs } from '../../rules/order-ledger/order-limits.ts';
import { grantCounts, isUnused } from '../../issuing/order-history.ts';
import type { WriteAction, Actions } from '../../controller-runtime/actions.ts';
import { earliest, noActions } from '../../controller-runtime/actions.ts';
import { grantOrders, opennessOf, ordersAtMost } from './grant-orders.ts';
import type { LedgerAccount, LedgerCandidate, OrderLedgerSnapshot } from './order-ledger-snapshot.ts';

const soonest = 1_000;
/** How often the ledger is rewritten, so that it does not list orders that left the window long ago. */
const refresh = 5 * 60_000;

/**
 * Allocates the issuer's orders: drops those that left the window, returns grants that were not used, and grants what
 * is left by fair share, after a pause of the authority's one first. The ledger is written before anything is approved.
 */
export function decideOrderLedger(snapshot: OrderLedgerSnapshot): Actions {
  const { now, settings, ledger, waiting } = snapshot;
  if (!ledger && waiting === 0) return noActions;
  const orders = ordersNow(snapshot);
  const granted = grantOrders(snapshot, orders);
  const all = [...orders, ...granted];
  const left = waiting - granted.length;
  const spec = specOf(snapshot, all, left);
  return {
    writes: write(ledger, settings.issuer.name, spec),
    events: [],
    requeueAt: all.length === 0 && left === 0 ? null : Math.max(now + soonest, nextRequeue(snapshot, all, left)),
  };
}

/** The ledger's current orders: with their outcomes, and without grants that were never used. Of too many, the oldest are not counted. */
function ordersNow({ ledger, recorded, unknownOrders, accounts, now }: OrderLedgerSnapshot): readonly LedgerOrder[] {
  const before = ledger ? (ledger.spec.orders ?? []) : unknownOrders;
  const settled = before.flatMap((order) => {
    const entry = recorded.get(order.request);
    if (!entry) return isUnused(order, now) ? [] : [order];
    return isWithAnother(order, entry) ? leftBehind(order, entry, { before, now }) : [withEntry(order, entry)];
  });
  return settled
    .filter((order) => counts(order, accounts, now))
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .slice(-ordersAtMost);
}

/** It is within the window of its account; of an account that is gone, of the longest. */
function counts(order: LedgerOrder, accounts: readonly LedgerAccount[], now: number): boolean {
  const own = accounts.find(({ isOwn }) => isOwn(order));
  const orders = own ? own.limits.orders : longestOf(accounts.map(({ limits }) => limits.orders));
  return inWindow([order], { orders }, now).length > 0;
}

const withEntry = (order: LedgerOrder, { outcome, at, acme }: OrderEntry): LedgerOrder => ({
  ...order,
  state: outcome,
  at: later(order.at, at),
  ...placedTimes(acme?.placed),
});

/** The claim has the order with another account by now. What names none is the first one's. */
const isWithAnother = ({ issuerAccount }: LedgerOrder, entry: OrderEntry): boolean =>
  entry.issuerAccount !== undefined && issuerAccount !== undefined && entry.issuerAccount !== issuerAccount;

/** It counts for the account that it may have been placed with, and for the one that it went on with. */
function leftBehind(
  order: LedgerOrder,
  entry: OrderEntry,
  { before, now }: { readonly before: readonly LedgerOrder[]; readonly now: number },
): readonly LedgerOrder[] {
  const { issuerAccount = '', request } = entry;
  const { placed: _, ...granted } = order;
  const left: LedgerOrder = { ...order, state: order.state === 'Granted' ? 'Pending' : order.state };
  const isCounted = before.some((one) => one.request === request && one.issuerAccount === issuerAccount);
  return isCounted ? [left] : [left, { ...withEntry(granted, entry), at: timestamp(now), issuerAccount }];
}

const later = (a: string, b: string): string => (Date.parse(a) > Date.parse(b) ? a : b);

type AccountState = NonNullable<OrderLedger['spec']['accounts']>[number];

function stateOf(
  { name, limits, isOwn, pausedUntil, away }: LedgerAccount,
  orders: readonly LedgerOrder[],
  now: number,
): Omit<AccountState, 'name'> & { readonly name: string | null } {
  const used = countPlaced(orders.filter(isOwn));
  return {
    name,
    used,
    left: Math.max(0, limits.orders.count - used),
    ...(pausedUntil > now ? { waitsUntil: timestamp(pausedUntil) } : {}),
    ...(away === null ? {} : { away }),
  };
}

function specOf(snapshot: OrderLedgerSnapshot, orders: readonly LedgerOrder[], waiting: number): OrderLedger['spec'] {
  const { accounts, now } = snapshot;
  const states = accounts.map((account) => stateOf(account, orders, now));
  const named = states.flatMap(({ name, ...state }) => (name === null ? [] : [{ name, ...state }]));
  const pauseEnd = Math.min(...accounts.map(({ pausedUntil }) => pausedUntil));
  const slot = nextSlot(snapshot, orders);
  return {
    used: countPlaced(orders),
    left: states.reduce((sum, { left }) => sum + left, 0),
    waiting,
    ...(waiting > 0 ? { waitingWeight: weightOfAll(snapshot.candidates) } : {}),
    ...(waiting > 0 && slot !== null ? { nextSlot: timestamp(slot) } : {}),
    ...(pauseEnd > now ? { waitsUntil: timestamp(pauseEnd) } : {}),
    ...(named.length === 0 ? {} : { accounts: named }),
    orders: [...orders],
  };
}

/** The weights of the accounts that first orders wait of. */
function weightOfAll(candidates: readonly LedgerCandidate[]): number {
  const first = candidates.filter(({ kind }) => kind === 'First');
  const weights = new Map(first.map(({ account, weight }) => [account, weight]));
  return [...weights.values()].reduce((sum, one) => sum + one, 0);
}

/** When the next order leaves the window or the pacing interval of an account that does not pause then; null when there is none. */
function nextSlot({ accounts, now }: OrderLedgerSnapshot, orders: readonly LedgerOrder[]): number | null {
  const slots = accounts.flatMap(({ limits, isOwn, pausedUntil }) => {
    const lengths = [paceOf(limits), windowMs(limits.orders)];
    const ends = orders.filter(isOwn).flatMap(({ at }) => lengths.map((length) => Date.parse(at) + length));
    const open = ends.filter((end) => end > now);
    return open.length === 0 ? [] : [Math.max(pausedUntil, Math.min(...open))];
  });
  return earliest(...slots);
}

function nextRequeue(snapshot: OrderLedgerSnapshot, orders: readonly LedgerOrder[], waiting: number): number {
  const { accounts, now } = snapshot;
  const unused = orders.filter(({ state }) => state === 'Granted').map(({ at }) => Date.parse(at) + grantCounts);
  const slot = waiting > 0 ? nextSlot(snapshot, orders) : null;
  const opens = waiting > 0 ? accounts.map((account) => opensAt(account, orders, now)) : [];
  return earliest(now + refresh, slot, ...opens, unused.length > 0 ? Math.min(...unused) : null) ?? now + refresh;
}

/** When an account that is away comes back is told. */
const opensAt = (account: LedgerAccount, orders: readonly LedgerOrder[], now: number): number | null =>
  account.away === null ? opennessChangesAt(opennessOf(account, orders, now), account.pausedUntil, now) : null;

function write(ledger: OrderLedger | undefined, name: string, spec: OrderLedger['spec']): readonly WriteAction[] {
  const { apiVersion, kind } = OrderLedgerKind;
  if (!ledger)
    return [{ verb: 'create', kind: OrderLedgerKind, object: { apiVersion, kind, metadata: { name }, spec } }];
  if (JSON.stringify(ordered(ledger.spec)) === JSON.stringify(ordered(spec))) return [];
  return [{ verb: 'replace', kind: OrderLedgerKind, object: { ...ledger, spec } }];
}

/** The fields in a fixed order, because the kube-apiserver returns them in its own. */
const ordered = ({ orders = [], accounts = [], ...rest }: OrderLedger['spec']) => [
  sortedEntries(rest),
  accounts.map(sortedEntries),
  orders.map(({ request, at, state, placed = 1, issuerAccount = '' }) => [request, at, state, placed, issuerAccount]),
];

const sortedEntries = (fields: object) => Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
