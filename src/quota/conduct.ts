/**
 * How a key behaves after a refusal (design section 6): requests that were in flight are forgiven, going on regardless
 * is a strike, and strikes are a ban. The same steps run in decide.lua.
 */

/** Times are unix seconds but for those named Ms. */
export interface KeyState {
  /** when the refusal began that is open; unix ms */
  readonly refusedAtMs: number;
  /** what Retry-After announced; 0 when no refusal is open */
  readonly refusedUntil: number;
  readonly forgiven: number;
  /** unix ms; 0 when no ban was ever, or its step is forgotten: there is nothing left to lift */
  readonly bannedAtMs: number;
  readonly bannedUntil: number;
  /** bans that are not forgotten yet, 0 to 5 */
  readonly step: number;
  /** from when clean days count */
  readonly cleanSince: number;
  /** the strikes of the last ten minutes */
  readonly strikes: readonly number[];
}

export const innocent: KeyState = Object.freeze({
  refusedAtMs: 0,
  refusedUntil: 0,
  forgiven: 0,
  bannedAtMs: 0,
  bannedUntil: 0,
  step: 0,
  cleanSince: 0,
  strikes: Object.freeze([]),
});

const graceMs = 2_000;
const forgivenAtMost = 50;
const strikesToBan = 20;
const strikesKeptFor = 600;
const cleanDay = 86_400;
/** Seconds of the first ban, the second, and so on. */
export const banSeconds: readonly number[] = [60, 300, 1_800, 7_200, 86_400];

/** The key as it stands at a time: what an administrator lifted, and what time has forgotten, is gone. */
export function current(key: KeyState, nowMs: number, liftedAt: number | null): KeyState {
  const now = Math.floor(nowMs / 1_000);
  const known = forgotten(key, now);
  const isLifted = liftedAt !== null && known.bannedAtMs > 0 && liftedAt >= known.bannedAtMs;
  return isLifted ? forgotten(lifted(known, liftedAt), now) : known;
}

/** A step less for each clean day; a ban whose step is forgotten cannot be lifted any more. */
function forgotten(key: KeyState, now: number): KeyState {
  const days = Math.max(0, Math.min(key.step, Math.floor((now - key.cleanSince) / cleanDay)));
  return {
    ...key,
    step: key.step - days,
    cleanSince: key.cleanSince + days * cleanDay,
    bannedAtMs: days > 0 ? 0 : key.bannedAtMs,
    strikes: key.strikes.filter((at) => at > now - strikesKeptFor),
  };
}

/** The ban ended when it was lifted: its step is forgotten, and clean days count from then. */
function lifted({ step, cleanSince }: KeyState, liftedAt: number): KeyState {
  const endedAt = Math.floor(liftedAt / 1_000);
  return { ...innocent, step: Math.max(0, step - 1), cleanSince: Math.min(cleanSince, endedAt) };
}

export const isBanned = ({ bannedUntil }: KeyState, nowMs: number): boolean => bannedUntil * 1_000 > nowMs;

/** A request was admitted: the refusal, if one is open, is over. */
export const admitted = (key: KeyState): KeyState => ({ ...key, refusedAtMs: 0, refusedUntil: 0, forgiven: 0 });

/** A request was refused until a second. */
export function refused(key: KeyState, nowMs: number, until: number): KeyState {
  if (nowMs >= key.refusedUntil * 1_000) return { ...key, refusedAtMs: nowMs, refusedUntil: until, forgiven: 0 };
  if (nowMs - key.refusedAtMs <= graceMs && key.forgiven < forgivenAtMost)
    return { ...key, forgiven: key.forgiven + 1 };
  const now = Math.floor(nowMs / 1_000);
  const strikes = [...key.strikes, now];
  if (strikes.length < strikesToBan) return { ...key, strikes, cleanSince: now };
  const step = Math.min(key.step + 1, banSeconds.length);
  const bannedUntil = Math.ceil(nowMs / 1_000) + (banSeconds[step - 1] ?? 0);
  return { ...innocent, step, bannedAtMs: nowMs, bannedUntil, cleanSince: bannedUntil };
}

export const strikesOfABan = strikesToBan;
