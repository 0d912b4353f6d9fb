import type { Combine, MinuteLog } from './minute-log.ts';
import { current, fallsTo, joined, usedOf, withSpent } from './minute-log.ts';

/**
 * The two windows of a budget: the minute slides over a log of what it admitted (minute-log.ts); the day is the calendar day in UTC.
 * Whole numbers throughout, so that quota-decision.lua computes exactly the same.
 */

export const dayMs = 86_400_000;

/** Requests admitted on one budget. */
export interface BudgetState {
  readonly log: MinuteLog;
  /** number of the day: Unix ms / 86 400 000 */
  readonly day: number;
  readonly dayCount: number;
}

export const emptyBudget: BudgetState = Object.freeze({ log: Object.freeze([]), day: 0, dayCount: 0 });

/** The state now: what has left the minute is gone, and a new day begins at zero. A clock that was set back forgets nothing. */
export function currentBudget({ log, day, dayCount }: BudgetState, nowMs: number): BudgetState {
  const today = dayOf(day, nowMs);
  return { log: current(log, nowMs), day: today, dayCount: today > day ? 0 : dayCount };
}

/** A day that a clock, set back by less than a day, has already begun goes on. */
function dayOf(day: number, nowMs: number): number {
  const today = Math.floor(nowMs / dayMs);
  return day === today + 1 ? day : today;
}

/** A current state after `cost` more requests now. */
export const spent = ({ log, day, dayCount }: BudgetState, cost: number, perMinute: number, nowMs: number) => ({
  log: withSpent(log, { cost, perMinute, nowMs }),
  day,
  dayCount: dayCount + cost,
});

/** Two states as one; of two days the later one. */
export function joinedBudgets(one: BudgetState, other: BudgetState, combine: Combine): BudgetState {
  const day = Math.max(one.day, other.day);
  const countOf = (budget: BudgetState) => (budget.day === day ? budget.dayCount : 0);
  return { log: joined(one.log, other.log, combine), day, dayCount: combine(countOf(one), countOf(other)) };
}

/** When the minute of a current state will have more left than now; now where all of it is left. Unix ms. */
export const minuteResetsAt = ({ log }: BudgetState, perMinute: number, nowMs: number): number =>
  fallsTo(log, Math.min(usedOf(log), perMinute) - 1, nowMs);
