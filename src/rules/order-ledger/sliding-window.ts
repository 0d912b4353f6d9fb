import type { WindowLimit } from './order-limits.ts';

/**
 * An order reaches the authority a little after it was written down, so every window is taken longer than the
 * authority's own: by a tenth, at most two minutes.
 */
const mostSlack = 120_000;

export const windowMs = ({ seconds }: WindowLimit): number => seconds * 1_000 + Math.min(mostSlack, seconds * 100);

/** Times that still count, the oldest first. */
export const timesInWindow = (times: readonly number[], limit: WindowLimit, now: number): readonly number[] =>
  times.filter((at) => at > now - windowMs(limit)).toSorted((a, b) => a - b);

/** When the window has room for one more, milliseconds since the Unix epoch; null when it has now. */
export function roomAt(times: readonly number[], limit: WindowLimit, now: number): number | null {
  const inWindow = timesInWindow(times, limit, now);
  const oldestInTheWay = inWindow[inWindow.length - limit.count];
  return oldestInTheWay === undefined ? null : oldestInTheWay + windowMs(limit);
}
