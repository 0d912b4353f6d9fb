/**
 * Strikes and bans after a refusal (docs/rest-api.md, Limits): requests that were in flight are forgiven, and each second in which a client
 * goes on is a strike, however many requests it sends then: workers that back off come back in ever fewer seconds, and a loop in all of
 * them. Eighteen strikes within nineteen seconds are a ban. Refusals and bans belong to the key; strikes and the length of the next ban
 * belong to the account, so another key is no way out. quota-decision.lua does the same.
 */

/** Times are Unix seconds, except those named Ms. */
export interface KeyState {
  /** when the open refusal began; Unix ms */
  readonly refusedAtMs: number;
  /** when a request passes again; Unix ms, 0 when no refusal is open */
  readonly refusedUntilMs: number;
  /** Unix ms; 0 when there was no ban, or it ended more than a day ago and can no longer be lifted */
  readonly bannedAtMs: number;
  readonly bannedUntil: number;
  /** the step of that ban, 1 to 5; 0 without one */
  readonly step: number;
}

/** Strikes, bans and refusals of an account. */
export interface Conduct {
  /** number of bans that are not expired yet, 0 to 5 */
  readonly step: number;
  /** the time from which clean days count, 0 without a step; Unix seconds */
  readonly cleanSince: number;
  /** when each strike of the last nineteen seconds began, at most the newest eighteen, the oldest first; Unix ms */
  readonly strikesMs: readonly number[];
  /** keys that are refused, banned, or whose ban can still be lifted; by id */
  readonly keys: ReadonlyMap<string, KeyState>;
}

const cleanKey: KeyState = Object.freeze({
  refusedAtMs: 0,
  refusedUntilMs: 0,
  bannedAtMs: 0,
  bannedUntil: 0,
  step: 0,
});

export const cleanConduct: Conduct = Object.freeze({
  step: 0,
  cleanSince: 0,
  strikesMs: Object.freeze([]),
  keys: new Map(),
});

const graceMs = 2_000;
/** What comes within this time of a strike is part of it. */
const strikeLastsMs = 1_000;
/** So many strikes within so long are a ban; older ones count for nothing. */
export const strikesOfABan = 18;
const banWithinMs = 19_000;
const cleanDay = 86_400;
/** Seconds of the first ban, the second, and so on. */
export const banSeconds: readonly number[] = [60, 300, 1_800, 7_200, 86_400];
/** Keys that are remembered at most: more than any plan permits. */
const mostKeys = 64;

/** The conduct now, without what an administrator lifted for the requesting key and what has expired. */
export function currentConduct(conduct: Conduct, id: string, nowMs: number, liftedAt: number | null): Conduct {
  const keys = new Map([...conduct.keys].filter(([, key]) => keptUntilMs(key) > nowMs));
  const known = { ...withoutExpired(conduct, nowMs), keys };
  const { bannedAtMs } = keys.get(id) ?? cleanKey;
  if (liftedAt === null || bannedAtMs === 0 || liftedAt < bannedAtMs) return known;
  keys.delete(id);
  return { ...withoutExpired(lifted(known, liftedAt), nowMs), keys };
}

/** Until when a key's state can still change a decision; a ban can be lifted until a day after its end. Unix ms. */
const keptUntilMs = ({ refusedUntilMs, bannedAtMs, bannedUntil }: KeyState): number =>
  Math.max(refusedUntilMs, bannedAtMs > 0 ? (bannedUntil + cleanDay) * 1_000 : 0);

/** Lowers the step by one for each clean day, and drops strikes that have expired. */
function withoutExpired(conduct: Conduct, nowMs: number): Conduct {
  const { step, cleanSince, strikesMs } = conduct;
  const now = Math.floor(nowMs / 1_000);
  const days = Math.max(0, Math.min(step, Math.floor((now - cleanSince) / cleanDay)));
  const left = step - days;
  return {
    ...conduct,
    step: left,
    cleanSince: left > 0 ? cleanSince + days * cleanDay : 0,
    strikesMs: strikesMs.filter((at) => isYoung(at, nowMs)),
  };
}

/** A clock that was set back leaves no strike of the future. */
const isYoung = (atMs: number, nowMs: number): boolean => atMs > nowMs - banWithinMs && atMs <= nowMs;

/** The ban ended when it was lifted: its step and the strikes are forgotten, and clean days count from then. */
function lifted(conduct: Conduct, liftedAt: number): Conduct {
  const cleanSince = Math.min(conduct.cleanSince, Math.floor(liftedAt / 1_000));
  return { ...conduct, step: Math.max(0, conduct.step - 1), cleanSince, strikesMs: [] };
}

export const isBanned = (key: KeyState | undefined, nowMs: number): boolean => (key?.bannedUntil ?? 0) * 1_000 > nowMs;

/** The conduct after an admitted request: an open refusal is over. */
export function admitted(conduct: Conduct, id: string): Conduct {
  const key = conduct.keys.get(id);
  if (!key || key.refusedUntilMs === 0) return conduct;
  return withKey(conduct, id, { ...key, refusedAtMs: 0, refusedUntilMs: 0 });
}

/** The conduct after a refused request, which passes at `untilMs`. */
export function refused(conduct: Conduct, id: string, nowMs: number, untilMs: number): Conduct {
  const key = conduct.keys.get(id) ?? cleanKey;
  if (nowMs >= key.refusedUntilMs) return withKey(conduct, id, { ...key, refusedAtMs: nowMs, refusedUntilMs: untilMs });
  return nowMs < nextStrikeMs(conduct, id) ? conduct : struck(conduct, id, nowMs);
}

/** From when on a refused key that does not wait makes a strike; whatever it sends before changes nothing. Unix ms. */
export function nextStrikeMs({ keys, strikesMs }: Conduct, id: string): number {
  const { refusedAtMs } = keys.get(id) ?? cleanKey;
  return Math.max(refusedAtMs + graceMs + 1, (strikesMs.at(-1) ?? 0) + strikeLastsMs);
}

function struck(conduct: Conduct, id: string, atMs: number): Conduct {
  const strikesMs = [...conduct.strikesMs, atMs].slice(-strikesOfABan);
  const at = Math.floor(atMs / 1_000);
  const after = { ...conduct, strikesMs, cleanSince: conduct.step > 0 ? Math.max(conduct.cleanSince, at) : 0 };
  if (strikesMs.length < strikesOfABan) return after;
  const step = Math.min(conduct.step + 1, banSeconds.length);
  const bannedUntil = Math.ceil(atMs / 1_000) + (banSeconds[step - 1] ?? 0);
  const cleanSince = Math.max(conduct.cleanSince, bannedUntil);
  return withKey({ ...after, step, cleanSince }, id, { ...cleanKey, step, bannedAtMs: atMs, bannedUntil });
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
