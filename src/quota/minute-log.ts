/**
 * The requests that a budget's last minute admitted, as a log whose entries several requests share, so that it stays short whatever the
 * limit. Requests within a moment of each other share an entry that counts until the last of them is a minute old; a tenth of the limit may
 * share an entry however far apart, and then it counts until the first of them is. So at any time requests of at most one entry have
 * ceased to count too early, and no sixty seconds admit more than 1.10 times the limit (docs/adr/0064). Pure; quota-decision.lua does
 * the same on packed entries.
 */

/** Times are Unix ms. */
export interface LogEntry {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly count: number;
}

/** The oldest entry first. */
export type MinuteLog = readonly LogEntry[];

export const minuteMs = 60_000;
/** Requests that are this close to the first of an entry share it, however many they are; a hundredth of the minute. */
const momentMs = 600;
/** As far apart as a packed entry can tell. */
const longestSpanMs = 65_000;
const mostInEntry = 2 ** 24 - 1;
/** A log is never longer: two entries of a log that is merged from several share one. */
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

/** The log after `cost` more requests now. `nowMs` is not before its newest entry. */
export function withSpent(log: MinuteLog, { cost, perMinute, nowMs }: Spending): MinuteLog {
  const open = log.at(-1);
  if (!open || !isShared(open, { cost, perMinute, nowMs }))
    return [...log, { firstMs: nowMs, lastMs: nowMs, count: cost }];
  return [...log.slice(0, -1), { ...open, lastMs: nowMs, count: open.count + cost }];
}

interface Spending {
  readonly cost: number;
  readonly perMinute: number;
  readonly nowMs: number;
}

function isShared({ firstMs, count }: LogEntry, { cost, perMinute, nowMs }: Spending): boolean {
  const span = nowMs - firstMs;
  if (span > longestSpanMs || count + cost > mostInEntry) return false;
  return span <= momentMs || count + cost <= Math.floor(perMinute / 10);
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

/** Two views of the same history, of which either may know more. */
export function unionOf(log: MinuteLog, other: MinuteLog): MinuteLog {
  return joined(log, other, (one, two) => ({
    firstMs: one.firstMs,
    lastMs: Math.max(one.lastMs, two.lastMs),
    count: Math.max(one.count, two.count),
  }));
}

/** Two histories, of which neither is in the other. */
export function sumOf(log: MinuteLog, other: MinuteLog): MinuteLog {
  return joined(log, other, (one, two) => ({
    firstMs: one.firstMs,
    lastMs: Math.max(one.lastMs, two.lastMs),
    count: Math.min(mostInEntry, one.count + two.count),
  }));
}

/** Entries with the same beginning become one by `combine`; the oldest ones share an entry where there are too many. */
function joined(log: MinuteLog, other: MinuteLog, combine: (one: LogEntry, two: LogEntry) => LogEntry): MinuteLog {
  const entries = new Map(log.map((entry) => [entry.firstMs, entry]));
  for (const entry of other) {
    const same = entries.get(entry.firstMs);
    entries.set(entry.firstMs, same ? combine(same, entry) : entry);
  }
  const sorted = [...entries.values()].toSorted((one, two) => one.firstMs - two.firstMs);
  const surplus = sorted.slice(0, Math.max(0, sorted.length - mostEntries + 1));
  if (surplus.length < 2) return sorted;
  return [shared(surplus), ...sorted.slice(surplus.length)];
}

const shared = (entries: MinuteLog): LogEntry => ({
  firstMs: entries[0]?.firstMs ?? 0,
  lastMs: Math.min(Math.max(...entries.map(({ lastMs }) => lastMs)), (entries[0]?.firstMs ?? 0) + longestSpanMs),
  count: Math.min(mostInEntry, usedOf(entries)),
});
