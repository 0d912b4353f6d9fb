import type { Account } from '../generated/account.ts';
import type { Limits } from '../rules/plan-limits.ts';
import { fixedMaximum } from '../rules/plan-limits.ts';
import { useCase } from './use-case.ts';
import type { WindowView } from '../quota/quota-port.ts';
import { quotaOf } from './quota-admission.ts';

/** An account as REST and the dashboard show it. */
export interface AccountView {
  readonly name: string;
  readonly plan: string;
  readonly limits: LimitsView;
}

interface LimitsView extends Omit<Limits, 'maximum'> {
  /** the plan's, and those that are the same on every plan */
  readonly maximum: Limits['maximum'] & { readonly sessionsPerKey: number; readonly eventStreams: number };
}

export const accountView = ({ metadata, spec }: Account, limits: Limits): AccountView => ({
  name: metadata.name,
  plan: spec.plan,
  limits: { ...limits, maximum: { ...limits.maximum, ...fixedMaximum } },
});

/** The account of the key that asks. */
export const showAccount = useCase<void, AccountView>(null, ({ caller }) => accountView(caller.account, caller.limits));

/** One window of the quota: requests, and when more of them are there again. */
export interface UsageWindow {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** unix seconds */
  readonly resetAt: number;
}

/** What is spent of the account's quota, and the ban of the key that asks; null without one. */
export interface UsageView {
  readonly minute: UsageWindow;
  readonly day: UsageWindow;
  /** `until`: unix seconds */
  readonly ban: { readonly until: number; readonly reason: string } | null;
}

const banReason = 'requests went on although they were refused with 429 and Retry-After';

/** Looks at the quota without spending any of it. */
export const showUsage = useCase<void, UsageView>(null, async ({ dependencies, caller }) => {
  const { minute, day, ban } = await quotaOf(dependencies, caller, 0);
  return {
    minute: usageWindow(minute),
    day: usageWindow(day ?? minute),
    ban: ban && { until: ban.until, reason: banReason },
  };
});

const usageWindow = ({ limit, remaining, resetAt }: WindowView): UsageWindow => ({
  limit,
  used: limit - remaining,
  remaining,
  resetAt,
});
