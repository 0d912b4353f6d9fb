const minuteMs = 60_000;

/** How many of these moments, Unix ms, lie within one minute at most: what a limit per minute bounds, however long all of them took. */
export function mostInAMinute(moments: readonly number[]): number {
  const sorted = moments.toSorted((a, b) => a - b);
  const within = sorted.map((at, index) => index + 1 - sorted.findIndex((first) => first > at - minuteMs));
  return Math.max(0, ...within);
}
