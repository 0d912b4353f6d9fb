import type { OrderCandidate } from '../../src/rules/order-ledger/allocation.ts';
import { allocateOrders } from '../../src/rules/order-ledger/allocation.ts';
import type { OrderClass, OrderLimits } from '../../src/rules/order-ledger/order-limits.ts';
import type { OrderEntry } from '../../src/rules/order-ledger/hostname-orders.ts';
import { hostnameWait } from '../../src/rules/order-ledger/hostname-orders.ts';
import type { LedgerOrder } from '../../src/rules/order-ledger/window-usage.ts';
import { inWindow, windowUsage } from '../../src/rules/order-ledger/window-usage.ts';
import { timesInWindow, roomAt } from '../../src/rules/order-ledger/order-limits.ts';

const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** How the owner of a name behaves once it has a certificate, or instead. */
export type Conduct = 'honest' | 'deletes its Secret' | 'fails';

export interface SimulatedName {
  readonly account: string;
  readonly weight: number;
  readonly hostname: string;
  readonly domain: string;
  readonly conduct: Conduct;
  /** milliseconds from the start of the year */
  readonly arrivesAt: number;
}

/** A certificate authority that keeps its limits on its own and says how often they were overstepped. */
function createAuthority(limits: OrderLimits) {
  const orders: number[] = [];
  const issued = new Map<string, number[]>();
  const failed = new Map<string, number[]>();
  let violations = 0;
  const within = (times: readonly number[], seconds: number, now: number) => {
    let count = 0;
    for (let index = times.length - 1; index >= 0 && (times[index] ?? 0) > now - seconds * 1_000; index -= 1)
      count += 1;
    return count;
  };
  const note = (book: Map<string, number[]>, key: string, now: number) => {
    const times = book.get(key) ?? [];
    book.set(key, times);
    times.push(now);
  };
  return {
    violations: () => violations,
    orders: () => orders.length,
    /** An order that is answered at once: with a certificate, unless the name fails. */
    order(
      { hostname, domain }: SimulatedName,
      { now, fails, isRenewal }: { now: number; fails: boolean; isRenewal: boolean },
    ) {
      const over = [
        within(orders, limits.orders.seconds, now) >= limits.orders.count,
        !isRenewal &&
          within(issued.get(`domain ${domain}`) ?? [], limits.registeredDomain.seconds, now) >=
            limits.registeredDomain.count,
        within(issued.get(hostname) ?? [], limits.exactSet.seconds, now) >= limits.exactSet.count,
        within(failed.get(hostname) ?? [], limits.failures.seconds, now) >= limits.failures.count,
        within(failed.get(hostname) ?? [], 365 * 24 * 3_600, now) >= 1_152,
      ];
      violations += over.filter(Boolean).length;
      orders.push(now);
      if (fails) note(failed, hostname, now);
      else {
        note(issued, hostname, now);
        if (!isRenewal) note(issued, `domain ${domain}`, now);
      }
    },
  };
}

interface Progress {
  readonly name: SimulatedName;
  readonly index: number;
  orders: readonly OrderEntry[];
  endsAt: number;
  waitsSince: number;
  notBefore: number;
  /** nothing of the name's own is in the way, and time brings nothing new */
  clear: boolean;
  kind: OrderClass;
}

export interface YearReport {
  /** orders beyond a limit of the authority */
  readonly violations: number;
  readonly orders: number;
  /** waits for a first certificate of accounts named honest…, milliseconds, ascending */
  readonly honestWaits: readonly number[];
  /** least that was left of an honest certificate's 90 days when it was renewed, milliseconds */
  readonly leastLeft: number;
  readonly renewals: number;
  /** first orders by account */
  readonly firstOrders: ReadonlyMap<string, number>;
}

const lifetime = 90 * day;
const renewedAfter = 60 * day;
const tick = hour;

const groupOf = ({ kind, name }: Progress): string => `${kind} ${name.domain}`;

/** A year of one issuer: who waits is shared out every hour by the ledger's own arithmetic. */
export function simulateYear(names: readonly SimulatedName[], limits: OrderLimits, days = 365): YearReport {
  const authority = createAuthority(limits);
  const everybody = names.map((name, index): Progress => ({
    name,
    index,
    orders: [],
    endsAt: 0,
    waitsSince: 0,
    notBefore: 0,
    clear: false,
    kind: 'First',
  }));
  const due = new Map<number, Progress[]>();
  const renewAt = (time: number, progress: Progress) => {
    const slot = Math.ceil(time / tick);
    const there = due.get(slot);
    if (there) there.push(progress);
    else due.set(slot, [progress]);
  };
  const arrivals = Map.groupBy(everybody, ({ name }) => Math.ceil(name.arrivesAt / tick));
  const waiting = new Map<string, Set<Progress>>();
  const domainTimes = new Map<string, readonly number[]>();
  const timesOf = (domain: string) => domainTimes.get(domain) ?? [];
  const honestWaits: number[] = [];
  const firstOrders = new Map<string, number>();
  let ledger: readonly LedgerOrder[] = [];
  let leastLeft = lifetime;
  let renewals = 0;

  const line = (progress: Progress, kind: OrderClass, now: number) => {
    progress.kind = kind;
    progress.waitsSince = now;
    const group = waiting.get(groupOf(progress)) ?? new Set();
    waiting.set(groupOf(progress), group.add(progress));
  };
  const byAccount = new Map<string, number[]>();
  const ofWeek = (account: string, now: number) => {
    const times = byAccount.get(account) ?? [];
    while ((times[0] ?? now) < now - 7 * day) times.shift();
    return times.length;
  };
  const leave = (progress: Progress) => {
    const group = waiting.get(groupOf(progress));
    group?.delete(progress);
    if (group?.size === 0) waiting.delete(groupOf(progress));
  };
  /** May this name be ordered, as far as its own orders go? Time brings nothing new to one that may. */
  const isClear = (progress: Progress, now: number): boolean => {
    if (progress.clear || progress.notBefore > now) return progress.clear;
    const wait = hostnameWait(progress.orders, { limits, isHere: () => true }, now);
    progress.notBefore = wait?.until ?? 0;
    progress.clear = wait === null;
    return progress.clear;
  };
  const candidateOf = ({ name, kind, index, endsAt, waitsSince }: Progress, now: number): OrderCandidate => {
    const { account, weight, hostname, domain } = name;
    const served = Math.max(ofWeek(account, now), timesOf(domain).length);
    const priority = kind === 'Renewal' ? endsAt : waitsSince;
    return { request: String(index), hostname, domain, account, weight, kind, priority, served };
  };
  const isFull = (group: ReadonlySet<Progress>, now: number): boolean => {
    const [first] = group;
    const times = timesOf(first?.name.domain ?? '');
    return first?.kind === 'First' && roomAt(times, limits.registeredDomain, now) !== null;
  };
  const candidates = (now: number): readonly OrderCandidate[] =>
    [...waiting.values()]
      .filter((group) => !isFull(group, now))
      .flatMap((group) => [...group].filter((progress) => isClear(progress, now)))
      .map((progress) => candidateOf(progress, now));
  const write = ({ request, kind }: OrderCandidate, progress: Progress, now: number) => {
    const { name } = progress;
    const at = new Date(now).toISOString();
    const state = name.conduct === 'fails' ? ('Failed' as const) : ('Issued' as const);
    const id = `${request} ${now}`;
    progress.clear = false;
    progress.orders = [...progress.orders, { request: id, at, outcome: state }].slice(-40);
    const { account, hostname, domain } = name;
    ledger = [...ledger, { request: id, at, account, hostname, domain, kind, state }];
  };
  const count = ({ account, domain }: SimulatedName, now: number) => {
    byAccount.set(account, [...(byAccount.get(account) ?? []), now]);
    domainTimes.set(domain, [...timesInWindow(timesOf(domain), limits.registeredDomain, now), now]);
  };
  const keep = (progress: Progress, isRenewal: boolean, now: number) => {
    const waited = now - progress.waitsSince;
    if (isRenewal) {
      renewals += 1;
      leastLeft = Math.min(leastLeft, progress.endsAt - now);
    } else if (progress.name.account.startsWith('honest')) honestWaits.push(waited);
    progress.endsAt = now + lifetime;
    renewAt(now + renewedAfter, progress);
  };
  const place = (candidate: OrderCandidate, now: number) => {
    const progress = everybody[Number(candidate.request)];
    if (!progress) return;
    const { name } = progress;
    const fails = name.conduct === 'fails';
    const isRenewal = candidate.kind === 'Renewal';
    authority.order(name, { now, fails, isRenewal });
    write(candidate, progress, now);
    if (!isRenewal) firstOrders.set(name.account, (firstOrders.get(name.account) ?? 0) + 1);
    if (fails) return;
    leave(progress);
    if (!isRenewal) count(name, now);
    if (name.conduct === 'honest') keep(progress, isRenewal, now);
    else line(progress, 'First', now);
  };

  for (let slot = 0; slot * tick < days * day; slot += 1) {
    const now = slot * tick;
    for (const progress of arrivals.get(slot) ?? []) line(progress, 'First', now);
    for (const progress of due.get(slot) ?? []) line(progress, 'Renewal', now);
    due.delete(slot);
    const asking = candidates(now);
    if (asking.length === 0) continue;
    ledger = inWindow(ledger, limits, now);
    const tally = windowUsage(ledger, limits, now);
    for (const granted of allocateOrders(asking, { tally, domainTimes: timesOf, limits, now })) place(granted, now);
  }
  return {
    violations: authority.violations(),
    orders: authority.orders(),
    honestWaits: honestWaits.toSorted((a, b) => a - b),
    leastLeft,
    renewals,
    firstOrders,
  };
}

/** The value that this part of all is at most. */
export const percentile = (ascending: readonly number[], part: number): number =>
  ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * part))] ?? 0;
