import type { Conduct } from './ban-state.ts';
import {
  admitted,
  banSeconds,
  cleanConduct,
  currentConduct,
  isBanned,
  nextStrikeMs,
  refused,
  strikesOfABan,
} from './ban-state.ts';
import { usedOf } from './minute-log.ts';
import type { Ask, Decision, QuotaLimits, WindowView } from './quota-port.ts';
import { limitsToPass } from './quota-port.ts';
import type { BudgetState } from './quota-windows.ts';
import { currentBudget, dayMs, emptyBudget, minuteResetsAt, spent } from './quota-windows.ts';

/** The state of a budget and of the account it belongs to. */
export interface QuotaState {
  readonly budget: BudgetState;
  readonly conduct: Conduct;
}

export const nothingSpent: QuotaState = Object.freeze({ budget: emptyBudget, conduct: cleanConduct });

/** What was decided, and the figures of the state afterwards. Times are Unix ms, but for `bannedUntil`. */
export interface Figures {
  readonly kind: Decision['kind'];
  readonly nowMs: number;
  /** requests in the minute, and when there will be more left than now */
  readonly used: number;
  readonly minuteResetsAtMs: number;
  readonly day: number;
  readonly dayCount: number;
  /** of the key's ban; Unix seconds, 0 without one */
  readonly bannedUntil: number;
  readonly step: number;
  readonly banBegins: boolean;
  /** of a key that was refused and is not banned: from when its going on is a strike; Unix ms, 0 otherwise */
  readonly nextStrikeMs: number;
}

export interface Decided {
  readonly figures: Figures;
  readonly after: QuotaState;
}

/**
 * One decision over ban, minute and day together: nothing is spent unless all three admit the request. Pure. quota-decision.lua does
 * the same in Redis and is tested against this function, which decides while Redis is unavailable.
 */
export function decideQuota(before: QuotaState, ask: Ask, nowMs: number): Decided {
  const { key, liftedAt, spend } = ask;
  const limits = limitsToPass(ask);
  const budget = currentBudget(before.budget, nowMs);
  // Without a key, no ban applies, and the account's strikes stay as they are.
  const conduct = key === null ? before.conduct : currentConduct(before.conduct, key, nowMs, liftedAt);
  const end = (kind: Decision['kind'], after: QuotaState, banBegins = false): Decided => ({
    figures: figuresOf(kind, after, { ...ask, limits }, { nowMs, banBegins }),
    after,
  });
  if (key !== null && isBanned(conduct.keys.get(key), nowMs)) return end('banned', { budget, conduct });
  if (hasRoom(budget, limits))
    return end(
      'allowed',
      spend === 0 ? { budget, conduct } : afterSpending({ budget, conduct }, { ...ask, limits }, nowMs),
    );
  if (key === null || spend === 0) return end('limited', { budget, conduct });
  const after = refused(conduct, key, nowMs, passesAtMs(usageOf(budget, limits, nowMs), limits));
  const isBan = isBanned(after.keys.get(key), nowMs);
  return end(isBan ? 'banned' : 'limited', { budget, conduct: after }, isBan);
}

const hasRoom = ({ log, dayCount }: BudgetState, { perMinute, perDay }: QuotaLimits): boolean =>
  usedOf(log) < perMinute && (perDay === null || dayCount < perDay);

const afterSpending = ({ budget, conduct }: QuotaState, { key, limits, spend }: Ask, nowMs: number): QuotaState => ({
  budget: spent(budget, spend, limits.perMinute, nowMs),
  conduct: key === null ? conduct : admitted(conduct, key),
});

type Usage = Pick<Figures, 'used' | 'minuteResetsAtMs' | 'day' | 'dayCount'>;

const usageOf = (budget: BudgetState, { perMinute }: QuotaLimits, nowMs: number): Usage => ({
  used: usedOf(budget.log),
  minuteResetsAtMs: minuteResetsAt(budget, perMinute, nowMs),
  day: budget.day,
  dayCount: budget.dayCount,
});

/** When a request that is refused now passes, if nothing is spent until then; Unix ms. */
export function passesAtMs(usage: Usage, { perMinute, perDay }: QuotaLimits): number {
  const minute = usage.used < perMinute ? 0 : usage.minuteResetsAtMs;
  return Math.max(minute, perDay === null || usage.dayCount < perDay ? 0 : (usage.day + 1) * dayMs);
}

function figuresOf(
  kind: Decision['kind'],
  { budget, conduct }: QuotaState,
  { key: id, limits, spend }: Ask,
  { nowMs, banBegins }: Pick<Figures, 'nowMs' | 'banBegins'>,
): Figures {
  const key = kind === 'banned' && id !== null ? conduct.keys.get(id) : undefined;
  return {
    kind,
    nowMs,
    ...usageOf(budget, limits, nowMs),
    bannedUntil: key?.bannedUntil ?? 0,
    step: key?.step ?? 0,
    banBegins,
    nextStrikeMs: kind === 'limited' && id !== null && spend > 0 ? nextStrikeMs(conduct, id) : 0,
  };
}

/** The decision that figures mean for who asked; `shown` are the limits of the account where it was decided within a share of them. */
export function decisionOf(figures: Figures, ask: Pick<Ask, 'limits' | 'needs'>, shown = ask.limits): Decision {
  const { kind, nowMs, used, dayCount, bannedUntil, step, banBegins } = figures;
  const { perMinute, perDay } = ask.limits;
  const banEndsAtMs = bannedUntil * 1_000;
  const minute: WindowView = {
    limit: shown.perMinute,
    remaining: Math.max(0, perMinute - used),
    resetsAtMs: figures.minuteResetsAtMs,
  };
  const day: WindowView | null =
    perDay === null
      ? null
      : {
          limit: shown.perDay ?? perDay,
          remaining: Math.max(0, perDay - dayCount),
          resetsAtMs: (figures.day + 1) * dayMs,
        };
  const passesAt = Math.max(banEndsAtMs, passesAtMs(figures, limitsToPass(ask)));
  return {
    kind,
    now: nowMs,
    minute,
    day,
    binding: kind === 'banned' ? bindingOfBan(day, banEndsAtMs) : bindingOf(minute, day),
    retryAfter: kind === 'allowed' ? null : Math.max(1, Math.ceil((passesAt - nowMs) / 1_000)),
    ban:
      kind === 'banned'
        ? { until: bannedUntil, seconds: banSeconds[step - 1] ?? 0, strikes: strikesOfABan, step }
        : null,
    banBegins,
    degraded: false,
  };
}

/** The day where it is used up for longer than the ban lasts; the minute stands for the ban otherwise. */
const bindingOfBan = (day: WindowView | null, banEndsAtMs: number): 'minute' | 'day' =>
  day !== null && day.remaining === 0 && day.resetsAtMs > banEndsAtMs ? 'day' : 'minute';

/** Until when the same figures mean the same decision, as clients are told whole seconds; Unix ms. */
export function unchangedUntilMs({ now, minute, day, ban }: Decision): number {
  const ends = [minute.resetsAtMs, day?.resetsAtMs ?? 0, (ban?.until ?? 0) * 1_000].filter((end) => end > now);
  return Math.min(...ends.map((end) => end - 1_000 * (Math.ceil((end - now) / 1_000) - 1)));
}

/** The window with fewer requests left; if equal, the one that resets later. */
function bindingOf(minute: WindowView, day: WindowView | null): 'minute' | 'day' {
  if (!day || minute.remaining < day.remaining) return 'minute';
  return day.remaining < minute.remaining || day.resetsAtMs > minute.resetsAtMs ? 'day' : 'minute';
}
