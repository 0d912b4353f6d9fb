/**
 * The requests that a budget's last minute admitted, as a log whose entries several requests share, so that it stays short whatever the
 * limit. Requests within a moment of each other share an entry that counts until the last of them is a minute old; a tenth of the limit may
 * share an entry however far apart, and then it counts until the first of them is. So at any time requests of at most one entry have
 * ceased to count too early, and no sixty seconds admit more than 1.10 times the limit (docs/adr/0064). Pure; quota-decision.lua does
 * the same.
 */

/** Times are Unix ms. */
interface LogEntry {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly count: number;
}

/** The oldest entry first. */
export type MinuteLog = readonly LogEntry[];

const minuteMs = 60_000;
/** Requests that are this close to the first of an entry share it, however many they are; a hundredth of the minute. */
const momentMs = 600;
/** A log is never longer: the oldest entries of one that is joined from several share one. */
const mostEntries = 60;

/** When an entry ceases to count; Unix ms. */
const endOf = ({ firstMs, lastMs }: LogEntry): number => (lastMs - firstMs <= momentMs ? lastMs : firstMs) + minuteMs;

export const usedOf = (log: MinuteLog): number => log.reduce((sum, { count }) => sum + count, 0);

/** The log without what has ceased to count. A clock that was set back moves all entries back with it. */
export function current(log: MinuteLog, nowMs: number): MinuteLog {
  const ahead = (log.at(-1)?.lastMs ?? 0) - nowMs;
  const known = ahead > 0 ? log.map((entry) => moved(entry, -ahead)) : log;
  const first = known.findIndex((entry) => endOf(entry) > nowMs);
  return first === -1 ? [] : known.slice(first);
}

const moved = ({ firstMs, lastMs, count }: LogEntry, ms: number): LogEntry => ({
  firstMs: firstMs + ms,
  lastMs: lastMs + ms,
  count,
});

interface Spending {
  readonly cost: number;
  readonly perMinute: number;
  readonly nowMs: number;
}

/** The log after `cost` more requests now. `nowMs` is not before its newest entry. */
export function withSpent(log: MinuteLog, { cost, perMinute, nowMs }: Spending): MinuteLog {
  const open = log.at(-1);
  if (!open || (nowMs - open.firstMs > momentMs && open.count + cost > Math.floor(perMinute / 10)))
    return [...log, { firstMs: nowMs, lastMs: nowMs, count: cost }];
  return [...log.slice(0, -1), { ...open, lastMs: nowMs, count: open.count + cost }];
}

/** When at most `used` requests of a current log count, if nothing is spent until then; Unix ms, `nowMs` where that is so now. */
export function fallsTo(log: MinuteLog, used: number, nowMs: number): number {
  let [left, endsAt] = [usedOf(log), nowMs];
  for (const entry of log) {
    if (left <= used) return endsAt;
    left -= entry.count;
    endsAt = Math.max(endsAt, endOf(entry));
  }
  return endsAt;
}

/** Of two counts: the larger where both are views of the same history, the sum where neither history is in the other. */
export type Combine = (one: number, two: number) => number;

/** Two logs as one. Entries with the same beginning become one. */
export function joined(log: MinuteLog, other: MinuteLog, combine: Combine): MinuteLog {
  const entries = new Map<number, LogEntry>();
  for (const entry of [...log, ...other]) {
    const same = entries.get(entry.firstMs);
    const lastMs = Math.max(same?.lastMs ?? 0, entry.lastMs);
    entries.set(entry.firstMs, same ? { ...entry, lastMs, count: combine(same.count, entry.count) } : entry);
  }
  const sorted = [...entries.values()].toSorted((one, two) => one.firstMs - two.firstMs);
  const surplus = sorted.slice(0, Math.max(0, sorted.length - mostEntries) + 1);
  return surplus.length < 2 ? sorted : [shared(surplus), ...sorted.slice(surplus.length)];
}

const shared = (entries: MinuteLog): LogEntry => ({
  firstMs: Math.min(...entries.map(({ firstMs }) => firstMs)),
  lastMs: Math.max(...entries.map(({ lastMs }) => lastMs)),
  count: usedOf(entries),
});
