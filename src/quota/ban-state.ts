/**
 * Strikes and bans after a refusal (docs/rest-api.md, Limits): requests that were in flight are forgiven, each one that
 * is sent regardless is a strike, and twenty strikes within ten minutes are a ban. Refusals and bans belong to the key;
 * strikes and the length of the next ban belong to the account, so another key is no way out. quota-decision.lua does
 * the same.
 */

/** Times are Unix seconds, except those named Ms. */
export interface KeyState {
  /** when the open refusal began; Unix ms */
  readonly refusedAtMs: number;
  /** when a request passes again; Unix ms, 0 when no refusal is open */
  readonly refusedUntilMs: number;
  readonly forgiven: number;
  /** Unix ms; 0 when there was no ban, or it ended more than a day ago and can no longer be lifted */
  readonly bannedAtMs: number;
  readonly bannedUntil: number;
  /** the step of that ban, 1 to 5; 0 without one */
  readonly step: number;
}

/** So many strikes in one second; Unix seconds. */
export interface Strikes {
  readonly at: number;
  readonly count: number;
}

/** Strikes, bans and refusals of an account. */
export interface Conduct {
  /** number of bans that are not expired yet, 0 to 5 */
  readonly step: number;
  /** the time from which clean days count, 0 without a step; Unix seconds */
  readonly cleanSince: number;
  /** the strikes of the last ten minutes, at most the newest twenty, the oldest first */
  readonly strikes: readonly Strikes[];
  /** keys that are refused, banned, or whose ban can still be lifted; by id */
  readonly keys: ReadonlyMap<string, KeyState>;
}

/** Requests of a key that were answered from memory, as refused, since Redis was asked last. Unix ms. */
export interface Disregarded {
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

const cleanKey: KeyState = Object.freeze({
  refusedAtMs: 0,
  refusedUntilMs: 0,
  forgiven: 0,
  bannedAtMs: 0,
  bannedUntil: 0,
  step: 0,
});

export const cleanConduct: Conduct = Object.freeze({
  step: 0,
  cleanSince: 0,
  strikes: Object.freeze([]),
  keys: new Map(),
});

const graceMs = 2_000;
const forgivenAtMost = 50;
export const strikesOfABan = 20;
const strikesKeptFor = 600;
const cleanDay = 86_400;
/** Seconds of the first ban, the second, and so on. */
export const banSeconds: readonly number[] = [60, 300, 1_800, 7_200, 86_400];
/** Keys that are remembered at most: more than any plan permits. */
const mostKeys = 64;

/** The conduct now, without what an administrator lifted for the requesting key and what has expired. */
export function currentConduct(conduct: Conduct, id: string, nowMs: number, liftedAt: number | null): Conduct {
  const now = Math.floor(nowMs / 1_000);
  const keys = new Map([...conduct.keys].filter(([, key]) => keptUntilMs(key) > nowMs));
  const known = { ...withoutExpired(conduct, now), keys };
  const { bannedAtMs } = keys.get(id) ?? cleanKey;
  if (liftedAt === null || bannedAtMs === 0 || liftedAt < bannedAtMs) return known;
  keys.delete(id);
  return { ...withoutExpired(lifted(known, liftedAt), now), keys };
}

/** Until when a key's state can still change a decision; a ban can be lifted until a day after its end. Unix ms. */
const keptUntilMs = ({ refusedUntilMs, bannedAtMs, bannedUntil }: KeyState): number =>
  Math.max(refusedUntilMs, bannedAtMs > 0 ? (bannedUntil + cleanDay) * 1_000 : 0);

/** Lowers the step by one for each clean day, and drops strikes that have expired. */
function withoutExpired(conduct: Conduct, now: number): Conduct {
  const { step, cleanSince, strikes } = conduct;
  const days = Math.max(0, Math.min(step, Math.floor((now - cleanSince) / cleanDay)));
  const left = step - days;
  return {
    ...conduct,
    step: left,
    cleanSince: left > 0 ? cleanSince + days * cleanDay : 0,
    strikes: strikes.filter(({ at }) => at > now - strikesKeptFor),
  };
}

/** The ban ended when it was lifted: its step and the strikes are forgotten, and clean days count from then. */
function lifted(conduct: Conduct, liftedAt: number): Conduct {
  const cleanSince = Math.min(conduct.cleanSince, Math.floor(liftedAt / 1_000));
  return { ...conduct, step: Math.max(0, conduct.step - 1), cleanSince, strikes: [] };
}

export const isBanned = (key: KeyState | undefined, nowMs: number): boolean => (key?.bannedUntil ?? 0) * 1_000 > nowMs;

/** The conduct after an admitted request: an open refusal is over. */
export function admitted(conduct: Conduct, id: string): Conduct {
  const key = conduct.keys.get(id);
  if (!key || key.refusedUntilMs === 0) return conduct;
  return withKey(conduct, id, { ...key, refusedAtMs: 0, refusedUntilMs: 0, forgiven: 0 });
}

/** The conduct after a refused request, which passes at `untilMs`. */
export function refused(conduct: Conduct, id: string, nowMs: number, untilMs: number): Conduct {
  const key = conduct.keys.get(id) ?? cleanKey;
  if (nowMs >= key.refusedUntilMs)
    return withKey(conduct, id, { ...key, refusedAtMs: nowMs, refusedUntilMs: untilMs, forgiven: 0 });
  return disregarded(conduct, id, { count: 1, firstMs: nowMs, lastMs: nowMs });
}

/** The conduct after requests that did not wait for the end of the key's open refusal; without one they change nothing. */
export function disregarded(conduct: Conduct, id: string, { count, firstMs, lastMs }: Disregarded): Conduct {
  const key = conduct.keys.get(id);
  if (!key || firstMs >= key.refusedUntilMs || firstMs < key.refusedAtMs) return conduct;
  const isInFlight = firstMs - key.refusedAtMs <= graceMs;
  const forgiven = isInFlight ? Math.min(count, forgivenAtMost - key.forgiven) : 0;
  const after = forgiven === 0 ? conduct : withKey(conduct, id, { ...key, forgiven: key.forgiven + forgiven });
  return count === forgiven ? after : struck(after, id, count - forgiven, lastMs);
}

function struck(conduct: Conduct, id: string, count: number, nowMs: number): Conduct {
  const now = Math.floor(nowMs / 1_000);
  const strikes = newest([...conduct.strikes, { at: now, count }]);
  const after = { ...conduct, strikes, cleanSince: conduct.step > 0 ? Math.max(conduct.cleanSince, now) : 0 };
  if (countOf(strikes) < strikesOfABan) return after;
  const step = Math.min(conduct.step + 1, banSeconds.length);
  const bannedUntil = Math.ceil(nowMs / 1_000) + (banSeconds[step - 1] ?? 0);
  const cleanSince = Math.max(conduct.cleanSince, bannedUntil);
  return withKey({ ...after, step, cleanSince }, id, { ...cleanKey, step, bannedAtMs: nowMs, bannedUntil });
}

const countOf = (strikes: readonly Strikes[]): number => strikes.reduce((sum, { count }) => sum + count, 0);

/** The newest twenty strikes, one entry for each second. */
function newest(strikes: readonly Strikes[]): readonly Strikes[] {
  const bySecond = new Map<number, number>();
  for (const { at, count } of strikes) bySecond.set(at, (bySecond.get(at) ?? 0) + count);
  const kept: Strikes[] = [];
  let room = strikesOfABan;
  for (const [at, count] of [...bySecond].toSorted(([one], [two]) => two - one)) {
    if (room === 0) break;
    kept.unshift({ at, count: Math.min(room, count) });
    room -= Math.min(room, count);
  }
  return kept;
}

/** Where there are too many keys, the one that is of use for the shortest time makes room. */
function withKey(conduct: Conduct, id: string, key: KeyState): Conduct {
  const keys = new Map(conduct.keys);
  if (keptUntilMs(key) === 0) keys.delete(id);
  else keys.set(id, key);
  if (keys.size > mostKeys) {
    const [first] = [...keys].toSorted(([, one], [, two]) => keptUntilMs(one) - keptUntilMs(two));
    if (first) keys.delete(first[0]);
  }
  return { ...conduct, keys };
}
