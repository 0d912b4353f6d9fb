/**
 * When DNS is checked next (docs/concepts/states.md). Times are milliseconds since the Unix epoch.
 *
 * Until the first verdict of yes: every 5 s for two minutes after Add or Verify, with intervals growing to five minutes;
 * every hour after a day; never after seven days. Held names: every 15 minutes with jitter.
 */

export const seconds = 1_000;
export const minutes = 60 * seconds;
export const hours = 60 * minutes;
export const days = 24 * hours;

export interface CheckTimes {
  /** when this series of checks began: at Add, at Verify, or at the loss of the name's records */
  readonly startedAt: number;
  /** when the last check finished; null before the first */
  readonly checkedAt: number | null;
}

const firstInterval = 5 * seconds;
const eagerFor = 2 * minutes;
const slowestOfFirstDay = 5 * minutes;
const giveUpAfter = 7 * days;
const driftInterval = 15 * minutes;
const driftJitter = 0.2;

/**
 * What validating resolvers have cached of broken DNSSEC is no obstacle any more once the zones' own servers have shown no
 * fault for this long.
 */
const cachedFaultsCountFor = 15 * minutes;

/** True when the zones were fixed so long ago that resolvers' caches no longer count. */
export const isLongMended = ({ faultlessSince }: { readonly faultlessSince: number | null }, now: number): boolean =>
  faultlessSince !== null && now - faultlessSince >= cachedFaultsCountFor;

/** The interval between two checks by the age of the series; null once the series has ended. */
export function interval(age: number): number | null {
  if (age < eagerFor) return firstInterval;
  if (age < days) return Math.min(slowestOfFirstDay, Math.max(firstInterval, age / 10));
  return age < giveUpAfter ? hours : null;
}

/** When an unverified name is checked next; null when only Verify starts a new series. */
export function nextVerification({ startedAt, checkedAt }: CheckTimes): number | null {
  if (checkedAt === null || checkedAt < startedAt) return startedAt;
  const pause = interval(checkedAt - startedAt);
  return pause === null ? null : checkedAt + pause;
}

/** When an unverified name's checks end: from then on only Verify starts a new series. */
export const seriesEnds = ({ startedAt }: Pick<CheckTimes, 'startedAt'>): number => startedAt + giveUpAfter;

/** When a held name is checked next; `spread` in [0, 1) is the name's own fixed share of the jitter. */
export function nextDriftCheck(checkedAt: number | null, spread: number): number {
  if (checkedAt === null) return 0;
  return checkedAt + driftInterval * (1 - driftJitter / 2 + driftJitter * spread);
}
