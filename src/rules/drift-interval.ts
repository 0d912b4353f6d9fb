import { minutes } from './check-schedule.ts';

/** How many domains are served, and how many of them may be looked up in a second. */
export interface LookBudget {
  readonly served: number;
  readonly looksPerSecond: number;
}

/**
 * Intervals in use, milliseconds. Each goes into a day without a remainder, so that the daily full check is one of a
 * domain's looks at any of them; and they are few, so that the interval rarely changes.
 */
const intervals = [15, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720].map((count) => count * minutes);
const longest = 1_440 * minutes;

/**
 * The interval between two looks at a served domain, milliseconds: the shortest at which the budget bears all of them,
 * from 15 minutes to a day. It is how late the loss of a record is noticed.
 */
export const driftInterval = ({ served, looksPerSecond }: LookBudget): number =>
  intervals.find((interval) => (served * 1_000) / looksPerSecond <= interval) ?? longest;
