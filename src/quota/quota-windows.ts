/**
 * The arithmetic of the two windows. The minute is a sliding window: six buckets of ten seconds, and the part of a
 * seventh that still lies within it. The day is a calendar day (UTC). quota-decision.lua computes the same; both use
 * only integers, so that they give the same result.
 */

const bucketMs = 10_000;
const bucketSeconds = bucketMs / 1_000;
const bucketsKept = 7;
const daySeconds = 86_400;

/** Requests admitted on one budget. */
export interface BudgetState {
  /** number of the newest bucket: Unix ms / 10 000 */
  readonly bucket: number;
  /** requests in each of the seven buckets, the newest first */
  readonly counts: readonly number[];
  /** number of the day: Unix seconds / 86 400 */
  readonly day: number;
  readonly dayCount: number;
}

export const emptyBudget: BudgetState = Object.freeze({
  bucket: 0,
  counts: Object.freeze([0, 0, 0, 0, 0, 0, 0]),
  day: 0,
  dayCount: 0,
});

/** The state at a later time: buckets shift, and a new day begins at zero. A clock set back changes nothing. */
export function shifted({ bucket, counts, day, dayCount }: BudgetState, nowMs: number): BudgetState {
  const newest = Math.max(bucket, Math.floor(nowMs / bucketMs));
  const moved = Math.min(newest - bucket, bucketsKept);
  const today = Math.max(day, Math.floor(nowMs / 1_000 / daySeconds));
  return {
    bucket: newest,
    counts: [...Array<number>(moved).fill(0), ...counts].slice(0, bucketsKept),
    day: today,
    dayCount: today === day ? dayCount : 0,
  };
}

export const spent = ({ counts, ...state }: BudgetState, cost: number): BudgetState => ({
  ...state,
  counts: counts.map((count, index) => (index === 0 ? count + cost : count)),
  dayCount: state.dayCount + cost,
});

/** Requests that the minute still admits; negative when the limit was lowered below what is spent. */
function minuteLeft({ bucket, counts }: BudgetState, limit: number, nowMs: number): number {
  const share = bucketMs - Math.max(0, nowMs - bucket * bucketMs);
  return Math.floor(((limit - sum(counts.slice(0, -1))) * bucketMs - (counts.at(-1) ?? 0) * share) / bucketMs);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

export interface WindowLeft {
  /** never negative */
  readonly remaining: number;
  /** Unix seconds */
  readonly resetAt: number;
  readonly passes: boolean;
}

/**
 * The minute window of a state that was shifted to `nowMs`. It resets when one more request would be left; for a window
 * that refuses, this is when a request passes again.
 */
export function minuteWindow(state: BudgetState, limit: number, nowMs: number): WindowLeft {
  const remaining = Math.max(0, minuteLeft(state, limit, nowMs));
  const now = Math.floor(nowMs / 1_000);
  return {
    remaining,
    passes: remaining > 0,
    resetAt: remaining >= limit ? now : fallsTo(state, limit - remaining - 1, now),
  };
}

/** The first whole second after `now` at which the window holds at most `used`, if nothing is spent until then. */
function fallsTo({ bucket, counts }: BudgetState, used: number, now: number): number {
  for (let ahead = 0; ahead < bucketsKept; ahead += 1) {
    const startsAt = (bucket + ahead) * bucketSeconds;
    const oldest = counts[bucketsKept - 1 - ahead] ?? 0;
    const room = (used - sum(counts.slice(0, bucketsKept - 1 - ahead))) * bucketMs;
    const offset = Math.max(now + 1 - startsAt, fitsAfter(oldest, room));
    if (offset < bucketSeconds) return startsAt + offset;
  }
  return (bucket + bucketsKept) * bucketSeconds;
}

/** Seconds into a bucket until the rest of the oldest one fits into `room`; more than a bucket when it never does. */
function fitsAfter(oldest: number, room: number): number {
  if (room < 0) return Number.POSITIVE_INFINITY;
  return oldest === 0 ? 0 : Math.max(0, Math.ceil((bucketMs - Math.floor(room / oldest)) / 1_000));
}

/** The day window: resets completely at midnight (UTC). */
export function dayWindow({ day, dayCount }: BudgetState, limit: number): WindowLeft {
  const remaining = Math.max(0, limit - dayCount);
  return { remaining, passes: remaining > 0, resetAt: (day + 1) * daySeconds };
}
