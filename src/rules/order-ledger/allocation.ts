import type { OrderLimits, OrderClass } from './order-limits.ts';
import type { Payer } from './fair-share.ts';
import { refusal } from './issuer-orders.ts';
import { freeFor, shareOf } from './fair-share.ts';
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
  const granted = classes.flatMap((kind) => {
    const lines = linesOf(candidates.filter((candidate) => candidate.kind === kind));
    return serve(lines, kind, given.limits, count);
  });
  return granted;
}

interface Line {
  readonly waiting: readonly OrderCandidate[];
  next: number;
  granted: number;
}

function linesOf(candidates: readonly OrderCandidate[]): readonly Line[] {
  const groups = Map.groupBy(candidates, ({ account }) => account);
  return [...groups.values()].map((group) => ({
    waiting: group.toSorted((a, b) => a.priority - b.priority || (a.request < b.request ? -1 : 1)),
    next: 0,
    granted: 0,
  }));
}

function serve(
  lines: readonly Line[],
  kind: OrderClass,
  limits: OrderLimits,
  count: Counter,
): readonly OrderCandidate[] {
  const granted: OrderCandidate[] = [];
  let open = lines;
  while (freeFor(count.tally(), limits, kind) >= 1) {
    for (const line of open) skipRefused(line, count);
    open = open.filter((line) => line.next < line.waiting.length);
    const line = leastServed(open, kind, count.tally());
    const candidate = line?.waiting[line.next];
    if (!line || !candidate) break;
    granted.push(candidate);
    count.add(candidate);
    line.next += 1;
    line.granted += 1;
  }
  return granted;
}

function skipRefused(line: Line, count: Counter): void {
  for (let head = line.waiting[line.next]; head && !count.mayHave(head); head = line.waiting[line.next]) line.next += 1;
}

function leastServed(lines: readonly Line[], kind: OrderClass, tally: WindowUsage): Line | undefined {
  let best: { readonly line: Line; readonly burden: number; readonly priority: number } | undefined;
  for (const line of lines) {
    const head = line.waiting[line.next];
    if (!head) continue;
    const burden = kind === 'Renewal' ? line.granted : (head.served + line.granted) / shareOf(tally, head);
    if (!best || burden < best.burden || (burden === best.burden && head.priority < best.priority)) {
      best = { line, burden, priority: head.priority };
    }
  }
  return best?.line;
}

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
