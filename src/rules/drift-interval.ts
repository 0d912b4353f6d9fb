import { hours, minutes } from './check-schedule.ts';

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
const shortest = 15 * minutes;

/** Longer than the hour and the three failures that it takes to lose a domain, and short, so that an outage of very many ends. */
const streakGoesFirst = 2 * hours;

/**
 * The interval between two checks of one served domain: that of all, but the shortest while it has begun to fail, so that three
 * failures over an hour take as long beside very many domains. Milliseconds.
 */
export const intervalOf = (
  { failingSince, driftInterval }: { readonly failingSince: number | null; readonly driftInterval: number },
  now: number,
): number => (failingSince !== null && now - failingSince < streakGoesFirst ? shortest : driftInterval);

/**
 * The interval between two looks at a served domain, milliseconds: the shortest at which the budget bears all of them,
 * from 15 minutes to a day. It is how late the loss of a record is noticed.
 */
export const driftInterval = ({ served, looksPerSecond }: LookBudget): number =>
  intervals.find((interval) => (served * 1_000) / looksPerSecond <= interval) ?? longest;
