/**
 * When DNS is checked (docs/concepts/states.md): a pure function of a domain and the clock, so that nothing need be written
 * down to know it. Times are milliseconds since the Unix epoch.
 *
 * Until the first verdict of yes: every 5 s for two minutes after Add or Verify, with intervals growing to five minutes;
 * every hour after a day; never after seven days. Held names: every 15 minutes, or less often where there are very many
 * (driftInterval), each at its own moment of them.
 */

export const seconds = 1_000;
export const minutes = 60 * seconds;
export const hours = 60 * minutes;
export const days = 24 * hours;

export interface CheckTimes {
  /** when this series of checks began: at Add, or at Verify */
  readonly startedAt: number;
  /** when the last check that is known of ended; null before the first */
  readonly checkedAt: number | null;
}

/** The scheduled times on either side of a moment. */
export interface ScheduledTimes {
  /** the latest one that has come; null before the first */
  readonly last: number | null;
  /** the first one that is still to come; null after the last */
  readonly next: number | null;
}

const firstInterval = 5 * seconds;
const eagerFor = 2 * minutes;
const slowestOfFirstDay = 5 * minutes;
const giveUpAfter = 7 * days;

/** The interval between two checks by the age of the series; null once the series has ended. */
export function interval(age: number): number | null {
  if (age < eagerFor) return firstInterval;
  if (age < days) return Math.min(slowestOfFirstDay, Math.max(firstInterval, age / 10));
  return age < giveUpAfter ? hours : null;
}

/** The ages of a series at which it is checked, in whole seconds: the first at once, the last within its seven days. */
function agesOfChecks(): readonly number[] {
  const ages: number[] = [];
  for (let age = 0; age <= giveUpAfter;) {
    ages.push(age);
    age += Math.ceil((interval(age) ?? hours) / seconds) * seconds;
  }
  return Object.freeze(ages);
}

const ages = agesOfChecks();

/** The scheduled times of a series around `now`. */
export function seriesTimes(startedAt: number, now: number): ScheduledTimes {
  const age = now - startedAt;
  const last = ages.findLast((one) => one <= age);
  const next = ages.find((one) => one > age);
  return {
    last: last === undefined ? null : startedAt + last,
    next: next === undefined ? null : startedAt + next,
  };
}

/** When an unverified name's checks end: from then on only Verify starts a new series. */
export const seriesEnds = ({ startedAt }: Pick<CheckTimes, 'startedAt'>): number => startedAt + giveUpAfter;

/**
 * The scheduled times of a held name around `now`; `share` in [0, 1) is the name's own share of the day. The interval goes
 * into a day without a remainder.
 */
export function driftTimes(share: number, now: number, every: number): Record<keyof ScheduledTimes, number> {
  const phase = Math.floor((share * days) / seconds) * seconds;
  const last = phase + Math.floor((now - phase) / every) * every;
  return { last, next: last + every };
}

/** The scheduled times of a Live domain's daily full check: one of the times of its other checks. */
export const fullCheckTimes = (share: number, now: number) => driftTimes(share, now, days);

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
