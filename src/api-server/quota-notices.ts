import type { Decision, WindowView } from '../quota/quota-port.ts';
import type { Caller } from '../use-cases/api-dependencies.ts';
import { createBoundedMap } from '../lib/bounded-map.ts';

/** An account came close to one of its limits, or to its end. */
export interface QuotaNotice {
  readonly account: string;
  readonly window: 'minute' | 'day';
  /** how much of the limit is used */
  readonly percent: 80 | 100;
  readonly limit: number;
}

const hourMs = 3_600_000;
const rememberedNotices = 10_000;

/**
 * Reports that an account has used 80 % or all of a window: of the day once each day, of the minute once an hour. An account without
 * many requests costs two comparisons.
 */
export function createQuotaNotices(
  report: (notice: QuotaNotice) => void,
): (caller: Caller, decision: Decision) => void {
  const silentUntil = createBoundedMap<number>(rememberedNotices);
  const note = (notice: QuotaNotice, now: number, untilMs: number) => {
    const { account, window, percent } = notice;
    const key = `${window} ${percent} ${account}`;
    if ((silentUntil.get(key) ?? 0) > now) return;
    silentUntil.set(key, untilMs);
    report(notice);
  };
  const noteWindow = (caller: Caller, window: QuotaNotice['window'], view: WindowView, now: number) => {
    const used = percentUsed(view);
    if (used === null) return;
    const untilMs = window === 'day' ? view.resetsAtMs : now + hourMs;
    const { name: account } = caller.account.metadata;
    note({ account, window, percent: used, limit: view.limit }, now, untilMs);
  };
  return (caller, { kind, minute, day, now, degraded }) => {
    // Of a banned key's account it is not known what is left, and of one that is counted alone only what a part of the limit has left.
    if (kind === 'banned' || degraded) return;
    noteWindow(caller, 'minute', minute, now);
    if (day) noteWindow(caller, 'day', day, now);
  };
}

function percentUsed({ limit, remaining }: WindowView): QuotaNotice['percent'] | null {
  if (remaining <= 0) return 100;
  return remaining * 5 <= limit ? 80 : null;
}
