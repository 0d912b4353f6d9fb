import type { HeapItem } from '../../lib/heap.ts';
import { createHeap } from '../../lib/heap.ts';
import type { OrderLimits, OrderClass } from './order-limits.ts';
import type { Payer } from './fair-share.ts';
import { refusal, freeFor, shareOf } from './fair-share.ts';
import type { WindowUsage } from './window-usage.ts';
import { payer } from './window-usage.ts';
import { timesInWindow } from './order-limits.ts';

/** A CertificateRequest that is ready in itself and waits for an order. */
export interface OrderCandidate extends Payer {
  /** uid of the CertificateRequest */
  readonly request: string;
  readonly hostname: string;
  /** sort key within the account, lowest first: the expiry of a renewal's certificate, else the time of the request */
  readonly priority: number;
}

/** Times of the orders that count against a registered domain; milliseconds since the Unix epoch. */
type DomainTimes = (domain: string) => readonly number[];

export interface AllocationInput {
  readonly tally: WindowUsage;
  readonly domainTimes: DomainTimes;
  readonly limits: OrderLimits;
  readonly now: number;
}

const classes: readonly OrderClass[] = ['Renewal', 'First', 'Platform'];

/**
 * Chooses which candidates get an order now: renewals first, then accounts with the fewest orders in a week relative to
 * their plan's weight. Within an account the longest waiting comes first. All accounts that order below a registered
 * domain count together.
 */
export function allocateOrders(
  candidates: readonly OrderCandidate[],
  given: AllocationInput,
): readonly OrderCandidate[] {
  const count = counter(given);
  return classes.flatMap((kind) => {
    const lines = linesOf(candidates.filter((candidate) => candidate.kind === kind));
    return serve(lines, kind, given.limits, count);
  });
}

/** An account's waiting requests, and its rank among the others in a heap. */
interface Line extends HeapItem {
  readonly index: number;
  readonly waiting: readonly OrderCandidate[];
  next: number;
  granted: number;
  /** orders relative to the account's share; with it the line's place, which stays until its next candidate's turn */
  burden: number;
}

function linesOf(candidates: readonly OrderCandidate[]): readonly Line[] {
  const groups = Map.groupBy(candidates, ({ account }) => account);
  return [...groups.values()].map((group, index) => ({
    index,
    waiting: group.toSorted((a, b) => a.priority - b.priority || (a.request < b.request ? -1 : 1)),
    next: 0,
    granted: 0,
    burden: 0,
    slot: -1,
  }));
}

/**
 * Serves the least served account first. A grant only ever takes room away, so a candidate that is refused once would be
 * refused later, too; one that others' grants of this round refuse holds its place until its turn.
 */
function serve(
  lines: readonly Line[],
  kind: OrderClass,
  limits: OrderLimits,
  count: Counter,
): readonly OrderCandidate[] {
  const granted: OrderCandidate[] = [];
  const open = createHeap<Line>(goesFirst);
  const queue = (line: Line) => {
    let head = line.waiting[line.next];
    for (; head && !count.mayHave(head); head = line.waiting[line.next]) line.next += 1;
    if (!head) return;
    line.burden = kind === 'Renewal' ? line.granted : (head.served + line.granted) / shareOf(count.tally(), head);
    open.add(line);
  };
  lines.forEach(queue);
  while (freeFor(count.tally(), limits, kind) >= 1) {
    const line = open.first();
    const candidate = line?.waiting[line.next];
    if (!line || !candidate) break;
    open.remove(line);
    line.next += 1;
    if (count.mayHave(candidate)) {
      granted.push(candidate);
      count.add(candidate);
      line.granted += 1;
    }
    queue(line);
  }
  return granted;
}

const headPriority = ({ waiting, next }: Line): number => waiting[next]?.priority ?? Number.POSITIVE_INFINITY;

const goesFirst = (a: Line, b: Line): boolean =>
  (a.burden - b.burden || headPriority(a) - headPriority(b) || a.index - b.index) < 0;

/** The window's usage, updated with each grant of this round. */
interface Counter {
  tally(): WindowUsage;
  mayHave(candidate: OrderCandidate): boolean;
  add(candidate: OrderCandidate): void;
}

function counter({ tally: before, domainTimes, limits, now }: AllocationInput): Counter {
  const [byAccount, byDomain] = [new Map(before.byAccount), new Map(before.byDomain)];
  const room = new Map<string, number>();
  let { used, renewals, platform, recent } = before;
  let tally: WindowUsage = { ...before, byAccount, byDomain };
  const roomOf = (domain: string) => {
    const known = room.get(domain);
    if (known !== undefined) return known;
    const left =
      limits.registeredDomain.count - timesInWindow(domainTimes(domain), limits.registeredDomain, now).length;
    room.set(domain, left);
    return left;
  };
  return {
    tally: () => tally,
    mayHave: (candidate) =>
      refusal(tally, limits, candidate) === null && (candidate.kind === 'Renewal' || roomOf(candidate.domain) >= 1),
    add(candidate) {
      const { kind, domain } = candidate;
      used += 1;
      if (kind === 'Renewal') renewals += 1;
      if (kind === 'Platform') platform += 1;
      if (kind !== 'Renewal') {
        recent += 1;
        byAccount.set(payer(candidate), (byAccount.get(payer(candidate)) ?? 0) + 1);
        room.set(domain, roomOf(domain) - 1);
      }
      if (kind === 'First') byDomain.set(domain, (byDomain.get(domain) ?? 0) + 1);
      tally = { ...tally, used, renewals, platform, recent };
    },
  };
}
