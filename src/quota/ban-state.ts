/**
 * How keys behave after a refusal (docs/rest-api.md, Limits): requests that were in flight are forgiven, going on
 * regardless is a strike, and strikes are a ban. Refusals and bans are a key's; strikes and the length of the next ban
 * are the account's, so that another key is no way out. The same steps run in quota-decision.lua.
 */

/** Times are unix seconds but for those named Ms. */
export interface KeyState {
  /** when the refusal began that is open; unix ms */
  readonly refusedAtMs: number;
  /** what Retry-After announced; 0 when no refusal is open */
  readonly refusedUntil: number;
  readonly forgiven: number;
  /** unix ms; 0 when no ban was ever, or it ended more than a day ago: there is nothing left to lift */
  readonly bannedAtMs: number;
  readonly bannedUntil: number;
  /** which step that ban was, 1 to 5; 0 without one */
  readonly step: number;
}

/** What is held against an account, whichever of its keys it was. */
export interface AccountStrikes {
  /** bans that are not forgotten yet, 0 to 5 */
  readonly step: number;
  /** from when clean days count; unix seconds */
  readonly cleanSince: number;
  /** the strikes of the last ten minutes, at most the newest twenty; unix seconds */
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

/** Both as they stand at a time: what an administrator lifted, and what time has forgotten, is gone. */
export function current({ key, account }: BanState, nowMs: number, liftedAt: number | null): BanState {
  const now = Math.floor(nowMs / 1_000);
  const known = { key: liftable(key, now), account: forgotten(account, now) };
  const isLifted = liftedAt !== null && known.key.bannedAtMs > 0 && liftedAt >= known.key.bannedAtMs;
  return isLifted ? { key: cleanKey, account: forgotten(lifted(known.account, liftedAt), now) } : known;
}

/** A ban can be lifted until a day after its end. */
const liftable = (key: KeyState, now: number): KeyState =>
  key.bannedAtMs > 0 && now >= key.bannedUntil + cleanDay ? { ...key, bannedAtMs: 0, bannedUntil: 0, step: 0 } : key;

/** A step less for each clean day. */
function forgotten({ step, cleanSince, strikes }: AccountStrikes, now: number): AccountStrikes {
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

/** A request was admitted: the refusal, if one is open, is over. */
export const admitted = (key: KeyState): KeyState => ({ ...key, refusedAtMs: 0, refusedUntil: 0, forgiven: 0 });

/** A request was refused until a second. */
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
