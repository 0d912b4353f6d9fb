import type { Account } from '../generated/account.ts';
import type { ApiKey } from '../generated/api-key.ts';
import type { Limits } from '../rules/plan-limits.ts';
import { fixedMaximum } from '../rules/plan-limits.ts';
import { useCase } from './use-case.ts';
import type { Decision, WindowView } from '../quota/quota-port.ts';
import { resetSecond } from '../quota/quota-port.ts';
import { quotaOf } from './quota-admission.ts';

/** An account as REST and the dashboard show it. */
export interface AccountView {
  readonly name: string;
  readonly plan: string;
  readonly limits: LimitsView;
}

interface LimitsView extends Omit<Limits, 'maximum'> {
  /** the plan's maxima, and those that are the same on every plan */
  readonly maximum: Limits['maximum'] & { readonly sessionsPerKey: number; readonly eventStreams: number };
}

export const accountView = ({ metadata, spec }: Account, limits: Limits): AccountView => ({
  name: metadata.name,
  plan: spec.plan,
  limits: { ...limits, maximum: { ...limits.maximum, ...fixedMaximum } },
});

/** The account that the caller's key belongs to. */
export const showAccount = useCase<void, AccountView>(null, ({ caller }) => accountView(caller.account, caller.limits));

/** One quota window: the requests in it, and when more become available. */
export interface UsageWindow {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** unix seconds */
  readonly resetAt: number;
}

/** A ban of one of the account's keys; times are RFC 3339. */
export interface BanView {
  /** the public part of the key */
  readonly key: string;
  readonly from: string;
  readonly until: string;
  /** how many bans of the account counted, this one included: the next one lasts longer */
  readonly step: number;
}

/** How much of the account's quota is used, and how its keys were banned. */
export interface UsageView {
  readonly minute: UsageWindow;
  readonly day: UsageWindow;
  /** when a request of the caller's key passes again, Unix seconds; null where the next one does */
  readonly nextRequestAt: number | null;
  /** of the caller's key; `until`: Unix seconds */
  readonly ban: { readonly until: number; readonly step: number; readonly reason: string } | null;
  /** the account's last bans, the newest first */
  readonly bans: readonly BanView[];
}

const banReason = 'the client kept sending requests after 429 responses, before Retry-After had passed';
const shownBans = 10;

/** Reads the quota without spending any of it. */
export const showUsage = useCase<void, UsageView>(null, async ({ dependencies, caller }) => {
  const decision = await quotaOf(dependencies, caller, 0);
  const { minute, day, ban } = decision;
  return {
    minute: usageWindow(minute),
    day: usageWindow(day ?? minute),
    nextRequestAt: nextRequestAt(decision),
    ban: ban && { until: ban.until, step: ban.step, reason: banReason },
    bans: bansOf(dependencies.caches.apiKeys.byIndex('account', caller.account.metadata.name)),
  };
});

function nextRequestAt({ kind, binding, minute, day, ban }: Decision): number | null {
  if (kind === 'allowed') return null;
  const dayPasses = day && (binding === 'day' || day.remaining <= 0) ? resetSecond(day) : 0;
  return Math.max(ban ? ban.until : dayPasses === 0 ? resetSecond(minute) : 0, dayPasses);
}

/** RFC 3339 in one form, so the later text is the later time. */
const bansOf = (keys: readonly ApiKey[]): readonly BanView[] =>
  keys
    .flatMap(({ spec, status }) => (status?.bans ?? []).map((ban) => ({ key: spec.keyId ?? '', ...ban })))
    .toSorted((one, two) => two.from.localeCompare(one.from))
    .slice(0, shownBans);

const usageWindow = ({ limit, remaining, resetsAtMs }: WindowView): UsageWindow => ({
  limit,
  used: limit - remaining,
  remaining,
  resetAt: resetSecond({ resetsAtMs }),
});
