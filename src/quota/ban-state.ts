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
  /** the end that Retry-After announced; 0 when no refusal is open */
  readonly refusedUntil: number;
  readonly forgiven: number;
  /** Unix ms; 0 when there was no ban, or it ended more than a day ago and can no longer be lifted */
  readonly bannedAtMs: number;
  readonly bannedUntil: number;
  /** the step of that ban, 1 to 5; 0 without one */
  readonly step: number;
}

/** Strikes and bans of an account, by any of its keys. */
export interface AccountStrikes {
  /** number of bans that are not expired yet, 0 to 5 */
  readonly step: number;
  /** the time from which clean days count; Unix seconds */
  readonly cleanSince: number;
  /** times of the strikes of the last ten minutes, at most the newest twenty; Unix seconds */
  readonly strikes: readonly number[];
}

export interface BanState {
  readonly key: KeyState;
  readonly account: AccountStrikes;
}

export const cleanKey: KeyState = Object.freeze({
  refusedAtMs: 0,
  refusedUntil: 0,
  forgiven: 0,
  bannedAtMs: 0,
  bannedUntil: 0,
  step: 0,
});

export const cleanAccount: AccountStrikes = Object.freeze({
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

/** Both states at a given time, without what an administrator lifted and what has expired. */
export function current({ key, account }: BanState, nowMs: number, liftedAt: number | null): BanState {
  const now = Math.floor(nowMs / 1_000);
  const known = { key: withoutOldBan(key, now), account: withoutExpired(account, now) };
  const isLifted = liftedAt !== null && known.key.bannedAtMs > 0 && liftedAt >= known.key.bannedAtMs;
  return isLifted ? { key: cleanKey, account: withoutExpired(lifted(known.account, liftedAt), now) } : known;
}

/** A ban can be lifted until a day after its end. */
const withoutOldBan = (key: KeyState, now: number): KeyState =>
  key.bannedAtMs > 0 && now >= key.bannedUntil + cleanDay ? { ...key, bannedAtMs: 0, bannedUntil: 0, step: 0 } : key;

/** Lowers the step by one for each clean day, and drops strikes that have expired. */
function withoutExpired({ step, cleanSince, strikes }: AccountStrikes, now: number): AccountStrikes {
  const days = Math.max(0, Math.min(step, Math.floor((now - cleanSince) / cleanDay)));
  return {
    step: step - days,
    cleanSince: cleanSince + days * cleanDay,
    strikes: strikes.filter((at) => at > now - strikesKeptFor),
  };
}

/** The ban ended when it was lifted: its step and the strikes are forgotten, and clean days count from then. */
function lifted({ step, cleanSince }: AccountStrikes, liftedAt: number): AccountStrikes {
  const endedAt = Math.floor(liftedAt / 1_000);
  return { step: Math.max(0, step - 1), cleanSince: Math.min(cleanSince, endedAt), strikes: [] };
}

export const isBanned = ({ bannedUntil }: KeyState, nowMs: number): boolean => bannedUntil * 1_000 > nowMs;

/** The state after an admitted request: an open refusal is over. */
export const admitted = (key: KeyState): KeyState => ({ ...key, refusedAtMs: 0, refusedUntil: 0, forgiven: 0 });

/** The state after a refused request, which may be sent again at `until` (Unix seconds). */
export function refused({ key, account }: BanState, nowMs: number, until: number): BanState {
  if (nowMs >= key.refusedUntil * 1_000)
    return { key: { ...key, refusedAtMs: nowMs, refusedUntil: until, forgiven: 0 }, account };
  if (nowMs - key.refusedAtMs <= graceMs && key.forgiven < forgivenAtMost)
    return { key: { ...key, forgiven: key.forgiven + 1 }, account };
  const now = Math.floor(nowMs / 1_000);
  const strikes = [...account.strikes, now].slice(-strikesToBan);
  if (strikes.length < strikesToBan)
    return { key, account: { ...account, strikes, cleanSince: Math.max(account.cleanSince, now) } };
  const step = Math.min(account.step + 1, banSeconds.length);
  const bannedUntil = Math.ceil(nowMs / 1_000) + (banSeconds[step - 1] ?? 0);
  return {
    key: { ...cleanKey, step, bannedAtMs: nowMs, bannedUntil },
    account: { step, cleanSince: Math.max(account.cleanSince, bannedUntil), strikes },
  };
}

export const strikesOfABan = strikesToBan;
