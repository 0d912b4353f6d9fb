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
  /** unix ms; 0 when no ban was ever */
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
  const isLifted = liftedAt !== null && key.bannedAtMs > 0 && liftedAt >= key.bannedAtMs;
  const known: KeyState = isLifted ? { ...innocent, step: Math.max(0, key.step - 1), cleanSince: key.cleanSince } : key;
  const days = Math.max(0, Math.min(known.step, Math.floor((now - known.cleanSince) / cleanDay)));
  return {
    ...known,
    step: known.step - days,
    cleanSince: known.cleanSince + days * cleanDay,
    strikes: known.strikes.filter((at) => at > now - strikesKeptFor),
  };
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
