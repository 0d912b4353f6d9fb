import type { CheckStatus } from './check-status.ts';
import type { FormerClasses } from './domain-classes.ts';

/** What this process remembers of a domain's checks; times in milliseconds since the Unix epoch. */
export interface RecentCheck {
  /** when the last check ended, written or not; null before the first */
  readonly checkedAt: number | null;
  /** when this process last checked routing, ownership and CAA together; null if it has not */
  readonly fullyCheckedAt: number | null;
  /** status.check.checkedAt as this process last wrote or left it; null while there is none */
  readonly writtenAt: number | null;
  /** when the next check is scheduled; null when none is */
  readonly nextAt: number | null;
  /** what the last check said of routing; null before the first */
  readonly routing: CheckStatus['routing'];
  /** until when a check that finds the same leaves nothing to decide while nothing else happens; null when it does not */
  readonly settledUntil: number | null;
  /** since when the route is probed and does not answer; null while it answers, or is not probed */
  readonly unansweredSince: number | null;
  /** since when the route of a hostname that had answered is missing, or is there again and has not answered; null while it is not so */
  readonly routeLostAt: number | null;
  /** since when an object of the route waits for an answer of the edge's controller; null while none does */
  readonly edgeSilentSince: number | null;
  /** until when former routing classes serve it on; null while DNS points there, or there is none */
  readonly former: FormerClasses | null;
}

/**
 * The memory of the leading process, an entry for each domain that was reconciled. It ends with the process: a successor
 * goes by the schedule, and has nothing that an order could rest on.
 */
export interface RecentChecks {
  /** when this process began to lead, milliseconds since the Unix epoch; Infinity before */
  readonly since: number;
  /** Called once, by a process that begins to lead: it does not make up for checks that were due before. */
  begin(at: number): void;
  /** By the uid of the ProjectDomain; undefined before its first reconcile. */
  of(uid: string): RecentCheck | undefined;
  record(uid: string, check: RecentCheck): void;
  /** To be called when the object is gone, as nothing else bounds the memory. */
  forget(uid: string): void;
}

/** Told of every entry that comes (1) or goes (-1). */
export type CountEntry = (check: RecentCheck, by: 1 | -1) => void;

/** Empty at first, of a process that does not lead yet. */
export function createRecentChecks(count: CountEntry = () => undefined): RecentChecks {
  /**
   * Times are kept in whole milliseconds since `origin`, one of the first of them: for three weeks those are small enough for V8 to have
   * them in the field itself. Any other number is 16 bytes beside it.
   */
  const checks = new Map<string, RecentCheck>();
  let origin: number | null = null;
  let since = Number.POSITIVE_INFINITY;
  const of = (uid: string): RecentCheck | undefined => {
    const kept = checks.get(uid);
    return kept && shiftedBy(origin ?? 0, kept);
  };
  const uncount = (uid: string) => {
    const before = of(uid);
    if (before) count(before, -1);
  };
  return {
    get since() {
      return since;
    },
    begin(at) {
      since = at;
    },
    of,
    record(uid, check) {
      uncount(uid);
      const whole = shiftedBy(0, check);
      origin ??= whole.checkedAt ?? whole.nextAt ?? 0;
      checks.set(uid, shiftedBy(-origin, whole));
      count(whole, 1);
    },
    forget(uid) {
      uncount(uid);
      checks.delete(uid);
    },
  };
}

function shiftedBy(ms: number, { routing, former, ...times }: RecentCheck): RecentCheck {
  const shift = (at: number | null) => (at === null ? null : Math.round(at + ms));
  return {
    checkedAt: shift(times.checkedAt),
    fullyCheckedAt: shift(times.fullyCheckedAt),
    writtenAt: shift(times.writtenAt),
    nextAt: shift(times.nextAt),
    routing,
    settledUntil: shift(times.settledUntil),
    unansweredSince: shift(times.unansweredSince),
    routeLostAt: shift(times.routeLostAt),
    edgeSilentSince: shift(times.edgeSilentSince),
    former,
  };
}

/**
 * The check status as it was read, with the times that this process remembers. Where the cache does not show the last
 * write of this process yet, what that check found is not there to decide from: it counts as not made.
 */
export function withRecentCheck(checkStatus: CheckStatus, recent: RecentCheck | undefined): CheckStatus {
  if (recent === undefined) return checkStatus;
  const { checkedAt: read } = checkStatus;
  if (recent.writtenAt !== null && (read ?? 0) < recent.writtenAt) return { ...checkStatus, checkedAt: null };
  if (recent.checkedAt === null || (read ?? 0) > recent.checkedAt) return checkStatus;
  return { ...checkStatus, checkedAt: recent.checkedAt, fullyCheckedAt: recent.fullyCheckedAt };
}
