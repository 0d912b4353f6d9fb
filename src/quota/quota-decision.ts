import type { AccountStrikes, KeyState } from './ban-state.ts';
import {
  admitted,
  banSeconds,
  current,
  cleanAccount,
  cleanKey,
  isBanned,
  refused,
  strikesOfABan,
} from './ban-state.ts';
import type { Ask, Ban, Decision, WindowView } from './quota-port.ts';
import type { BudgetState, WindowLeft } from './quota-windows.ts';
import { dayWindow, emptyBudget, minuteWindow, shifted, spent } from './quota-windows.ts';

/** The state of a budget, of the account it belongs to, and of the requesting key. */
export interface QuotaState {
  readonly budget: BudgetState;
  readonly account: AccountStrikes;
  readonly key: KeyState;
}

export const nothingSpent: QuotaState = Object.freeze({
  budget: emptyBudget,
  account: cleanAccount,
  key: cleanKey,
});

export interface Decided {
  readonly decision: Decision;
  readonly after: QuotaState;
}

/**
 * One decision over ban, minute and day together: nothing is spent unless all three admit the request. Pure.
 * quota-decision.lua does the same in Redis and is tested against this function, which decides while Redis is
 * unavailable.
 */
export function decideQuota(before: QuotaState, ask: Ask, nowMs: number): Decided {
  const budget = shifted(before.budget, nowMs);
  const state = { budget, ...banStateOf(before, ask, nowMs) };
  if (isBanned(state.key, nowMs)) return { decision: banned(state, ask, nowMs), after: state };
  const { minute, day } = windows(budget, ask, nowMs);
  const passes = minute.passes && (day?.passes ?? true);
  if (!passes) return refuse(state, ask, nowMs);
  if (ask.spend === 0) return { decision: allowed(budget, ask, nowMs), after: state };
  const after = spent(budget, ask.spend);
  return { decision: allowed(after, ask, nowMs), after: { ...state, budget: after, key: admitted(state.key) } };
}

/** Without a key, no ban applies, and the account's strikes stay as they are. */
const banStateOf = ({ key, account }: QuotaState, ask: Ask, nowMs: number) =>
  ask.key === null ? { key: cleanKey, account } : current({ key, account }, nowMs, ask.liftedAt);

interface Windows {
  readonly minute: WindowLeft;
  readonly day: WindowLeft | null;
}

function windows(budget: BudgetState, { limits }: Ask, nowMs: number): Windows {
  const { perMinute, perDay } = limits;
  return { minute: minuteWindow(budget, perMinute, nowMs), day: perDay === null ? null : dayWindow(budget, perDay) };
}

function views(budget: BudgetState, ask: Ask, nowMs: number): { minute: WindowView; day: WindowView | null } {
  const { minute, day } = windows(budget, ask, nowMs);
  const view = (limit: number, { remaining, resetAt }: WindowLeft): WindowView => ({ limit, remaining, resetAt });
  return {
    minute: view(ask.limits.perMinute, minute),
    day: day && view(ask.limits.perDay ?? 0, day),
  };
}

const defaults = { retryAfter: null, ban: null, banBegins: false, degraded: false } as const;

function allowed(budget: BudgetState, ask: Ask, nowMs: number): Decision {
  const { minute, day } = views(budget, ask, nowMs);
  return { kind: 'allowed', now: nowMs, minute, day, binding: bindingOf(minute, day), ...defaults };
}

/** The window with fewer requests left; if equal, the one that resets later. */
function bindingOf(minute: WindowView, day: WindowView | null): 'minute' | 'day' {
  if (!day || minute.remaining < day.remaining) return 'minute';
  return day.remaining < minute.remaining || day.resetAt > minute.resetAt ? 'day' : 'minute';
}

function refuse(before: QuotaState, ask: Ask, nowMs: number): Decided {
  const { budget } = before;
  const { minute, day } = windows(budget, ask, nowMs);
  const minuteUntil = minute.passes ? 0 : minute.resetAt;
  const dayUntil = day === null || day.passes ? 0 : day.resetAt;
  const until = Math.max(minuteUntil, dayUntil);
  const isCounted = ask.key !== null && ask.spend > 0;
  const state = isCounted ? { budget, ...refused(before, nowMs, until) } : before;
  if (isBanned(state.key, nowMs)) return { decision: { ...banned(state, ask, nowMs), banBegins: true }, after: state };
  const decision: Decision = {
    kind: 'limited',
    now: nowMs,
    ...views(budget, ask, nowMs),
    binding: dayUntil > minuteUntil ? 'day' : 'minute',
    ...defaults,
    retryAfter: until - Math.floor(nowMs / 1_000),
  };
  return { decision, after: state };
}

/** A ban is shown as the minute window: nothing is left until it ends. */
function banned({ budget, key }: QuotaState, ask: Ask, nowMs: number): Decision {
  const { day } = views(budget, ask, nowMs);
  const until = key.bannedUntil;
  const ban: Ban = { until, seconds: banSeconds[key.step - 1] ?? 0, strikes: strikesOfABan, step: key.step };
  return {
    kind: 'banned',
    now: nowMs,
    minute: { limit: ask.limits.perMinute, remaining: 0, resetAt: until },
    day,
    binding: 'minute',
    ...defaults,
    retryAfter: until - Math.floor(nowMs / 1_000),
    ban,
  };
}
